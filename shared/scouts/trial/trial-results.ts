import { type ItemRef, itemRef, type TrialId, trialId } from "../../../events/ids.ts";
import type { Result } from "../../billing/reservation.ts";
import type { Table } from "../../ports/table.ts";
import type { ResultsOf } from "../triage/settle-reservations.ts";
import { tokensOf, trialOp } from "./trial-row.ts";
import { TrialStore } from "./trial-store.ts";

/** What trials took, by the rows of their items; those rows outlive every reservation. */
export function trialResults(sessions: Table): ResultsOf {
  const store = new TrialStore(sessions);
  return async (user, ops) => {
    const results = new Map<string, Result>();
    for (const [trial, own] of Map.groupBy(ops.map(partsOf), (each) => each.trial)) {
      const refs = own.map(({ ref }) => ref);
      for (const row of await store.some(user, trial, refs)) results.set(trialOp(trial, row.ref), tokensOf(row));
    }
    return results;
  };
}

/** The inverse of `trialOp`: a trial's id holds no dot, a ref may. */
function partsOf(op: string): { trial: TrialId; ref: ItemRef } {
  const dot = op.indexOf(".");
  return { trial: trialId.parse(op.slice(0, dot)), ref: itemRef.parse(op.slice(dot + 1)) };
}
