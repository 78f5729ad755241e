import type { FileState, SyncChange } from "./materialize-types.ts";

type Conflict = Extract<SyncChange, { action: "conflict" }>["reason"];

/** What to do with one path. `keep`: nothing, the store is as it should be. */
export type Decision =
  | { action: "keep" | "create" | "update" | "delete" }
  | { action: "conflict"; reason: Conflict; hasOwnVersion: boolean };

const keep: Decision = { action: "keep" };

/**
 * The three-way comparison; undefined means "not there".
 *
 *     base  view  store
 *      B     B     *      the view did nothing: the store stands
 *      B     V     B      update            B     –     B      delete
 *      B     V     S,–    conflict          B     –     S      conflict
 *      –     V     –      create            –     V     S      conflict
 *      *     V     V      both did the same: nothing to do
 */
export function decide(
  base: FileState | undefined,
  view: FileState | undefined,
  store: FileState | undefined,
): Decision {
  if (same(base, view) || same(view, store)) return keep;
  const unchangedThere = same(base, store);
  if (view === undefined) {
    return unchangedThere
      ? { action: "delete" }
      : { action: "conflict", reason: "deleted-here-changed-there", hasOwnVersion: false };
  }
  if (unchangedThere) return { action: base === undefined ? "create" : "update" };
  const reason =
    base === undefined ? "both-created" : store === undefined ? "changed-here-deleted-there" : "both-changed";
  return { action: "conflict", reason, hasOwnVersion: true };
}

/** Whether two states are one; undefined and null mean "not there". */
export function isSameState(a: FileState | null | undefined, b: FileState | null | undefined): boolean {
  return same(a ?? undefined, b ?? undefined);
}

function same(a: FileState | undefined, b: FileState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.hash === b.hash && a.mode === b.mode;
}
