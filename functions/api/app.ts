import { Hono } from "hono";
import { ScoutsError } from "../../events/errors.ts";
import { asScoutsError } from "../../shared/outcome.ts";
import type { Clock } from "../../shared/ports/clock.ts";
import type { Log } from "../../shared/ports/log.ts";
import { openApiOf } from "./openapi.ts";
import type { ApiPorts } from "./ports.ts";
import type { ApiContext, ApiEnvironment, Route } from "./route.ts";
import { billingRoutes } from "./routes/billing.ts";
import { deviceRoutes } from "./routes/devices.ts";
import { gmailRoutes } from "./routes/gmail.ts";
import { scoutRoutes } from "./routes/scouts.ts";
import { serviceRoutes } from "./routes/service.ts";
import { spamRoutes } from "./routes/spam.ts";
import { usageRoutes } from "./routes/usage.ts";

export interface ApiOptions {
  /** Made when the first route needs them. */
  readonly ports: () => ApiPorts;
  /** The address people reach the API by. */
  readonly publicUrl: () => string;
  readonly log: Log;
  readonly clock: Clock;
}

/** The HTTP API: every route of the table, one error shape, and a document made from the same table. */
export function createApi({ ports, publicUrl, log, clock }: ApiOptions): Hono<ApiEnvironment> {
  const routes: readonly Route[] = [
    ...serviceRoutes(() => openApiOf(routes, publicUrl()), clock),
    ...deviceRoutes,
    ...gmailRoutes,
    ...scoutRoutes,
    ...spamRoutes,
    ...billingRoutes,
    ...usageRoutes,
  ];
  const app = new Hono<ApiEnvironment>();
  app.use(async (c, next) => {
    c.header("x-request-id", c.env.lambdaContext.awsRequestId);
    c.header("x-content-type-options", "nosniff");
    c.header("cache-control", "no-store");
    await next();
  });
  for (const route of routes) app.on(route.method, honoPath(route), (c) => route.serve(c, ports));
  for (const [path, methods] of methodsByPath(routes)) app.all(path, (c) => answerOtherMethod(c, methods));
  app.notFound(() => {
    throw new ScoutsError("not_found");
  });
  app.onError((error, c) => answerError(c, error, log));
  return app;
}

function honoPath({ path }: Route): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function methodsByPath(routes: readonly Route[]): Map<string, string> {
  const grouped = Map.groupBy(routes, honoPath);
  return new Map(
    [...grouped].map(([path, own]) => {
      const methods = own.map(({ method }) => method);
      // HEAD is answered by GET's handler (RFC 9110 §9.3.2).
      return [path, [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")];
    }),
  );
}

/** OPTIONS says what there is; every other method that is not there is refused the same way (RFC 9110 §15.5.6). */
function answerOtherMethod(c: ApiContext, methods: string): Response {
  c.header("allow", methods);
  if (c.req.method === "OPTIONS") return c.body(null, 204);
  throw new ScoutsError("method_not_allowed");
}

/** The one place where an error becomes an answer. What a handler throws is logged here and nowhere else. */
function answerError(c: ApiContext, error: Error, log: Log): Response {
  const { code, data, kind } = asScoutsError(error);
  const requestId = c.env.lambdaContext.awsRequestId;
  log.error("request_failed", error, { requestId });
  const wait = data["retryAfterMs"];
  if (typeof wait === "number") c.header("retry-after", String(Math.ceil(wait / 1000)));
  return c.json({ error: { code, message: kind.sentence, data, requestId } }, kind.status as 400);
}
