import { openRoute } from "../define-route.ts";
import type { ApiPorts } from "../ports.ts";
import type { Route } from "../route.ts";

/** The document that describes the API. */
export function serviceRoutes(describe: () => unknown): readonly Route<ApiPorts>[] {
  return [
    openRoute(
      {
        method: "GET",
        path: "/openapi.json",
        operationId: "getOpenApi",
        summary: "This document",
        tag: "Service",
        answers: [{ status: 200, description: "OpenAPI 3.1." }],
        errors: [],
      },
      async (c) => c.json(describe()),
    ),
  ];
}
