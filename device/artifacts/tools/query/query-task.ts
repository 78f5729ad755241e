import type { CsvDialect } from "../../sniff/csv-dialect.ts";

/** What the query's process is given. */
export interface QueryTask {
  /** UTF-8. */
  readonly content: Uint8Array;
  readonly kind: "json" | "jsonl" | "csv";
  readonly query: string;
  readonly dialect: CsvDialect;
  /** After which the process ends itself, should nobody else do it. */
  readonly timeLimitMs: number;
}

export type QueryAnswer =
  | { readonly ok: true; readonly json: string; readonly badLines: number }
  | { readonly ok: false; readonly reason: "unreadable" | "invalid"; readonly detail: string };
