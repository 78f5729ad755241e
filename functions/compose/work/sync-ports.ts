import { systemClock } from "../../../shared/ports/clock.ts";
import type { SyncPorts } from "../../../shared/scouts/sync/sync.ts";
import { newId } from "../../ids.ts";
import { log } from "../../log.ts";
import { breakerView } from "../model/breaker-view.ts";
import { ledger } from "../tables.ts";

/** What a look at a scout stands on, beside the sources it can read and the queues its work goes to. */
export const syncPorts = (): Omit<SyncPorts, "connectors" | "notices" | "sync" | "triage"> => ({
  ledger: ledger(),
  breaker: breakerView(),
  clock: systemClock,
  random: Math.random,
  newId,
  log,
});
