import { parseBreakerRow } from "../../shared/breaker/breaker-row.ts";
import type { AskingBreaker } from "../../shared/breaker/model-breaker.ts";
import type { ProbingBreaker } from "../../shared/scouts/sync/hold-scout.ts";

/** The breaker of a home whose model answers every probe: what fails is the item's. */
export const closedBreaker: AskingBreaker & ProbingBreaker & { tick(): Promise<ReturnType<typeof parseBreakerRow>> } = {
  current: async () => undefined,
  blame: async () => ({ whose: "item" }),
  requestProbe: async () => {},
  tick: async () => parseBreakerRow(undefined),
};
