import { type SourceKind, sourceListResponse } from "../../../events/http/scouts.ts";
import type { ConnectorRegistry } from "../../../shared/scouts/connectors/connector.ts";
import { route } from "../define-route.ts";
import { schemaOf } from "../openapi.ts";
import type { ApiPorts } from "../ports.ts";
import type { Route } from "../route.ts";

/** Which sources there are to add. */
export const sourceRoutes: readonly Route<ApiPorts>[] = [
  route(
    {
      method: "GET",
      path: "/api/v1/sources",
      operationId: "listSources",
      summary: "The kinds of source this home reads, and what it takes to connect each",
      tag: "Scouts",
      answers: [{ status: 200, description: "All of them.", schema: sourceListResponse }],
      errors: [],
    },
    async ({ ports }, c) => c.json({ sources: kindsOf(ports.connectors) }),
  ),
];

const kindsOf = (connectors: ConnectorRegistry): SourceKind[] =>
  [...connectors].map(([source, { settings, archive }]) => ({
    source,
    settings: settings ? schemaOf(settings.schema) : null,
    secrets: [...(settings?.secrets ?? [])],
    trash: archive !== undefined,
  }));
