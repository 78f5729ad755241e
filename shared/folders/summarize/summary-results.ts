import { type FileName, fileName, type IndexId, indexId } from "../../../events/ids.ts";
import type { Result } from "../../billing/reservation.ts";
import type { ResultBook } from "../../billing/result-book.ts";
import type { Table } from "../../ports/table.ts";
import { IndexStore } from "../index/index-store.ts";
import { summaryOp, tokensOf } from "./file-result.ts";

/** What summaries took, by the rows of their files; those rows outlive every reservation. */
export function summaryResults(sessions: Table): ResultBook {
  const store = new IndexStore(sessions);
  const resultsOf: ResultBook["resultsOf"] = async (user, ops) => {
    const results = new Map<string, Result>();
    for (const [index, own] of Map.groupBy(ops.map(partsOf), (each) => each.index)) {
      const rows = await store.files(
        user,
        index,
        own.map(({ file }) => file),
      );
      for (const [file, row] of rows) results.set(summaryOp(index, file), tokensOf(row));
    }
    return results;
  };
  return { feature: "folder_index", prefix: "idx_", resultsOf };
}

/** The inverse of `summaryOp`. */
function partsOf(op: string): { index: IndexId; file: FileName } {
  const [index = "", file = ""] = op.split(".");
  return { index: indexId.parse(index), file: fileName.parse(file) };
}
