import { systemClock } from "../../shared/ports/clock.ts";
import { ItemStore } from "../../shared/scouts/items/item-store.ts";
import { requeueDueItems } from "../../shared/scouts/sync/due.ts";
import { breaker } from "../compose/breaker.ts";
import { triageQueue } from "../compose/queues.ts";
import { ledger } from "../compose/tables.ts";
import { scheduled } from "./scheduled.ts";

export const handler = scheduled("due", () =>
  requeueDueItems({
    ledger: ledger(),
    items: new ItemStore(ledger()),
    triage: triageQueue(),
    breaker: breaker(),
    clock: systemClock,
  }),
);
