import { type RunId, runId } from "../../../events/ids.ts";
import type { Result } from "../../billing/reservation.ts";
import type { ResultBook } from "../../billing/result-book.ts";
import type { Table } from "../../ports/table.ts";
import { resultOf, splitStepOp, stepOp } from "../step/spend.ts";
import { RunStore } from "./run-store.ts";

/** What steps took, by the rows of their runs; those rows outlive every reservation. A book for each feature of theirs. */
export function runResults(sessions: Table): readonly ResultBook[] {
  const runs = new RunStore(sessions);
  const resultsOf: ResultBook["resultsOf"] = async (user, ops) => {
    const ids = new Set(ops.map((op): RunId => runId.parse(splitStepOp(op).run)));
    const results = new Map<string, Result>();
    for (const id of ids) {
      const row = await runs.get({ userId: user, runId: id });
      for (const step of row?.spent.keys() ?? []) {
        const result = row && resultOf(row, step);
        if (result) results.set(stepOp(id, step), result);
      }
    }
    return results;
  };
  return (["agents", "categorize"] as const).map((feature) => ({ feature, prefix: "run_", resultsOf }));
}
