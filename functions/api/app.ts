import type { Hono } from "hono";
import type { Log } from "../../shared/ports/log.ts";
import type { ConnectorRegistry } from "../../shared/scouts/connectors/connector.ts";
import { openApiOf } from "./openapi.ts";
import type { ApiPorts } from "./ports.ts";
import type { ApiEnvironment, Route } from "./route.ts";
import { billingRoutes } from "./routes/billing.ts";
import { deviceRoutes } from "./routes/devices.ts";
import { gmailRoutes } from "./routes/gmail.ts";
import { healthRoutes } from "./routes/health.ts";
import { itemRoutes } from "./routes/items.ts";
import { scoutRoutes } from "./routes/scouts.ts";
import { serviceRoutes } from "./routes/service.ts";
import { sourceRoutes } from "./routes/sources.ts";
import { spamRoutes } from "./routes/spam.ts";
import { trialRoutes } from "./routes/trials.ts";
import { uploadRoutes } from "./routes/uploads.ts";
import { usageRoutes } from "./routes/usage.ts";
import { serveRoutes } from "./serve.ts";

export interface ApiOptions {
  /** Made when the first route needs them. */
  readonly ports: () => ApiPorts;
  /** The address people reach the API by. */
  readonly publicUrl: () => string;
  /** The sources there are. */
  readonly connectors: () => ConnectorRegistry;
  readonly log: Log;
}

/** The HTTP API: every route of the table, one error shape, and a document made from the same table. */
export function createApi({ ports, publicUrl, connectors, log }: ApiOptions): Hono<ApiEnvironment> {
  const routes: readonly Route<ApiPorts>[] = [
    // Uploads and health are served by functions of their own, which alone may do what they take.
    ...serviceRoutes(() =>
      openApiOf([...routes, ...uploadRoutes, ...healthRoutes()], publicUrl(), settingsOf(connectors())),
    ),
    ...deviceRoutes,
    ...gmailRoutes,
    ...scoutRoutes,
    ...sourceRoutes,
    ...itemRoutes,
    ...spamRoutes,
    ...trialRoutes,
    ...billingRoutes,
    ...usageRoutes,
  ];
  return serveRoutes(routes, ports, log);
}

const settingsOf = (connectors: ConnectorRegistry) =>
  new Map([...connectors].flatMap(([type, { settings }]) => (settings ? [[type, settings.schema] as const] : [])));
