import { systemClock } from "../../shared/ports/clock.ts";
import { ItemStore } from "../../shared/scouts/items/item-store.ts";
import { requeueDueItems } from "../../shared/scouts/sync/due.ts";
import { breaker } from "../compose/model/breaker.ts";
import { ledger } from "../compose/tables.ts";
import { triageQueues } from "../compose/work/source-queues.ts";
import { log } from "../log.ts";
import { scheduled } from "./scheduled.ts";

export const handler = scheduled("due", () =>
  requeueDueItems({
    ledger: ledger(),
    items: new ItemStore(ledger()),
    triage: triageQueues(),
    breaker: breaker(),
    clock: systemClock,
    log,
  }),
);
