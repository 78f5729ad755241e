import type { AccessStore } from "../store/access-store.ts";

export interface Retention {
  readonly maxAgeMs: number;
  /** Of stored contents, compressed. */
  readonly maxBytes: number;
}

export const defaultRetention: Retention = { maxAgeMs: 90 * 24 * 3_600_000, maxBytes: 1024 * 1024 * 1024 };

/**
 * Lets go of versions that are too old, then of the oldest until the rest fits; the newest version of every file stays.
 * Contents go with the last version, or unfinished change, that needs them.
 *
 * @returns how many versions and bytes were let go of
 */
export function prune(
  store: AccessStore,
  nowMs: number,
  { maxAgeMs, maxBytes }: Retention = defaultRetention,
): { versions: number; bytes: number } {
  return store.transaction(() => {
    const all = store.versions.all();
    const newest = new Map(all.map((version) => [version.path, version.id]));
    const users = new Map<string, number>();
    for (const { hash } of all) if (hash !== null) users.set(hash, (users.get(hash) ?? 0) + 1);
    const pinned = new Set(
      store.journal.open().flatMap(({ steps }) => steps.flatMap(({ before, after }) => [before?.hash, after?.hash])),
    );
    let kept = store.contents.totals().storedBytes;
    let freed = 0;
    const gone: string[] = [];
    for (const { id, path, hash, at } of all) {
      if (newest.get(path) === id || (nowMs - at <= maxAgeMs && kept <= maxBytes)) continue;
      gone.push(id);
      if (hash === null || pinned.has(hash)) continue;
      const left = (users.get(hash) ?? 1) - 1;
      users.set(hash, left);
      if (left > 0) continue;
      const bytes = store.contents.storedBytes(hash) ?? 0;
      store.contents.remove(hash);
      kept -= bytes;
      freed += bytes;
    }
    store.versions.remove(gone);
    return { versions: gone.length, bytes: freed };
  });
}
