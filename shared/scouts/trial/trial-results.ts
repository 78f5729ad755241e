import { type ItemRef, itemRef, type TrialId, trialId } from "../../../events/ids.ts";
import type { Result } from "../../billing/reservation.ts";
import type { ResultBook } from "../../billing/result-book.ts";
import type { Table } from "../../ports/table.ts";
import { tokensOf, trialOp } from "./trial-row.ts";
import { TrialStore } from "./trial-store.ts";

/** What trials took, by the rows of their items; those rows outlive every reservation. */
export function trialResults(sessions: Table): ResultBook {
  const store = new TrialStore(sessions);
  const resultsOf: ResultBook["resultsOf"] = async (user, ops) => {
    const results = new Map<string, Result>();
    for (const [trial, own] of Map.groupBy(ops.map(partsOf), (each) => each.trial)) {
      const refs = own.map(({ ref }) => ref);
      for (const row of await store.some(user, trial, refs)) results.set(trialOp(trial, row.ref), tokensOf(row));
    }
    return results;
  };
  return { feature: "triage", prefix: "trl_", resultsOf };
}

/** The inverse of `trialOp`: a trial's id holds no dot, a ref may. */
function partsOf(op: string): { trial: TrialId; ref: ItemRef } {
  const dot = op.indexOf(".");
  return { trial: trialId.parse(op.slice(0, dot)), ref: itemRef.parse(op.slice(dot + 1)) };
}
