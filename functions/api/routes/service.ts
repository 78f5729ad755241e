import { healthResponse } from "../../../events/http.ts";
import { ledgerKey, sessionsKey } from "../../../shared/keys.ts";
import type { Clock } from "../../../shared/ports/clock.ts";
import { openRoute } from "../define-route.ts";
import type { ApiPorts } from "../ports.ts";
import type { Route } from "../route.ts";

/** Anybody may ask, so the tables are asked this often at most by one environment. */
const freshMs = 5_000;

/** @param clock decides only how long an answer is repeated */
export function serviceRoutes(describe: () => unknown, clock: Clock): readonly Route<ApiPorts>[] {
  let readAt = Number.NEGATIVE_INFINITY;
  return [
    openRoute(
      {
        method: "GET",
        path: "/health",
        operationId: "getServiceHealth",
        summary: "Whether the service can read its tables",
        tag: "Service",
        answers: [{ status: 200, description: "It can.", schema: healthResponse }],
        errors: [],
      },
      async (c, ports) => {
        if (clock() - readAt >= freshMs) {
          await readTables(ports());
          readAt = clock();
        }
        return c.json({ status: "ok" });
      },
    ),
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

/** Reads a row of each table that never exists. */
async function readTables({ ledger, sessions }: ApiPorts): Promise<void> {
  await Promise.all([ledger.get(ledgerKey.health()), sessions.get(sessionsKey.health())]);
}
