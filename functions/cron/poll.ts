import { systemClock } from "../../shared/ports/clock.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { pollDueScouts } from "../../shared/scouts/sync/due.ts";
import { ledger } from "../compose/tables.ts";
import { syncQueues } from "../compose/work/source-queues.ts";
import { newId } from "../ids.ts";
import { log } from "../log.ts";
import { scheduled } from "./scheduled.ts";

export const handler = scheduled("poll", async () => {
  const ports = {
    ledger: ledger(),
    scouts: new ScoutStore(ledger()),
    sync: syncQueues(),
    clock: systemClock,
    newId,
    log,
  };
  return { queued: await pollDueScouts(ports) };
});
