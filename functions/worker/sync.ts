import { syncMessage } from "../../events/queues.ts";
import type { Outcome } from "../../shared/outcome.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { syncScout } from "../../shared/scouts/sync.ts";
import { connectors } from "../compose/connectors.ts";
import { syncQueue, triageQueue } from "../compose/queues.ts";
import { ledger } from "../compose/tables.ts";
import { log } from "../log.ts";
import { queueHandler } from "./sqs-batch.ts";

/** Messages are hints: however many name a scout, it is looked at once, and that settles them all. */
export const handler = queueHandler(syncMessage, async (batch, remainingMs) => {
  const ports = {
    ledger: ledger(),
    connectors: connectors(),
    triage: triageQueue(),
    sync: syncQueue(),
    clock: systemClock,
    log,
  };
  const runs = new Map<string, Promise<Outcome>>();
  for (const { body } of batch) {
    if (!runs.has(body.scoutId)) runs.set(body.scoutId, syncScout(ports, body, remainingMs));
  }
  return Promise.all(batch.map(async ({ body }) => (await runs.get(body.scoutId)) ?? { kind: "done" }));
});
