import type { SQLInputValue } from "node:sqlite";
import { folded } from "../../../store/sqlite/folded-text.ts";
import type { Query } from "../parse-query.ts";

/** Conditions on the documents of an index, as `d`; none when `sql` is "". */
export interface Filter {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** The ids of all passages of the documents a filter lets through; there is one. */
export const passagesThrough = ({ sql }: Filter): string =>
  `SELECT p.id FROM passages p JOIN documents d ON p.id >= d.first AND p.id < d.first + d.count WHERE ${sql}`;

/** What a query is narrowed to beside its words. */
export function filterOf({ kinds, sender, fromMs, beforeMs }: Query): Filter {
  const terms: string[] = [];
  const values: SQLInputValue[] = [];
  if (kinds.length > 0) {
    terms.push(`(${kinds.map(() => "d.kind = ? OR d.tag = ? OR d.ext = ?").join(" OR ")})`);
    values.push(...kinds.flatMap((kind) => [kind, kind, kind]));
  }
  if (sender !== undefined) {
    terms.push("instr(d.sender, ?) > 0");
    values.push(folded(sender));
  }
  if (fromMs !== undefined) {
    terms.push("d.mtime_ms >= ?");
    values.push(fromMs);
  }
  if (beforeMs !== undefined) {
    terms.push("d.mtime_ms < ?");
    values.push(beforeMs);
  }
  return { sql: terms.join(" AND "), values };
}
