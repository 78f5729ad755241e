import type { ContentStore } from "../store/access-store.ts";
import type { AuditRecord } from "./record.ts";

export interface ReplayedTree {
  /** Every file the trail changed, as it left it; null: deleted. */
  readonly files: ReadonlyMap<string, Uint8Array | null>;
  /** Records whose `beforeHash` is not what the replay had: the file was changed by something else in between. */
  readonly outsideChanges: readonly { readonly seq: number; readonly path: string }[];
  /** Contents that retention has let go of. */
  readonly missing: readonly { readonly seq: number; readonly path: string; readonly hash: string }[];
}

/** Does again, in memory, what the recorded calls did: the tree the trail says there is. */
export function replay(records: Iterable<AuditRecord>, contents: ContentStore): ReplayedTree {
  const hashes = new Map<string, string | null>();
  const outsideChanges: { seq: number; path: string }[] = [];
  const missing: { seq: number; path: string; hash: string }[] = [];
  const seqs = new Map<string, number>();
  for (const { seq, outcome, files } of records) {
    if (outcome !== "ok") continue;
    for (const { path, beforeHash, afterHash, versionId } of files) {
      if (versionId === null) continue;
      if (hashes.has(path) && hashes.get(path) !== beforeHash) outsideChanges.push({ seq, path });
      hashes.set(path, afterHash);
      seqs.set(path, seq);
    }
  }
  const files = new Map<string, Uint8Array | null>();
  for (const [path, hash] of hashes) {
    const bytes = hash === null ? null : contents.get(hash);
    if (bytes !== undefined) files.set(path, bytes);
    else missing.push({ seq: seqs.get(path) ?? 0, path, hash: hash ?? "" });
  }
  return { files, outsideChanges, missing };
}
