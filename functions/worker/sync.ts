import { syncMessage } from "../../events/queues.ts";
import type { Outcome } from "../../shared/outcome/outcome.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { syncScout } from "../../shared/scouts/sync/sync.ts";
import { breakerView } from "../compose/breaker-view.ts";
import { connectors } from "../compose/connectors.ts";
import { delivery } from "../compose/delivery.ts";
import { syncQueue, triageQueue } from "../compose/queues.ts";
import { ledger } from "../compose/tables.ts";
import { newId } from "../ids.ts";
import { log } from "../log.ts";
import { queueHandler } from "./sqs-batch.ts";

/** Messages are hints: however many name a scout, it is looked at once, and that settles them all. */
export const handler = queueHandler(syncMessage, async (batch, remainingMs) => {
  const ports = {
    ledger: ledger(),
    connectors: connectors(),
    breaker: breakerView(),
    notices: delivery(),
    triage: triageQueue(),
    sync: syncQueue(),
    clock: systemClock,
    random: Math.random,
    newId,
    log,
  };
  const runs = new Map<string, Promise<Outcome>>();
  for (const [scoutId, messages] of Map.groupBy(batch, ({ body }) => body.scoutId)) {
    const [first] = messages;
    const causes = new Set(messages.map(({ body }) => body.cause));
    if (first) runs.set(scoutId, syncScout(ports, { ...first.body, causes }, remainingMs));
  }
  return Promise.all(batch.map(async ({ body }) => (await runs.get(body.scoutId)) ?? { kind: "done" }));
});
