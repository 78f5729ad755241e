import { type AuditRecord, genesisHash } from "../../device/access/audit/record.ts";
import type {
  AccessStore,
  AuditAnchors,
  FileVersion,
  JournalEntry,
  RegistryEntry,
  StoredSummary,
} from "../../device/access/store/access-store.ts";

/** An {@link AccessStore} that is gone with the process: for library use without a device, and for tests. */
export function memoryAccessStore(): AccessStore {
  const contents = new Map<string, Uint8Array>();
  const versions: FileVersion[] = [];
  const journal = new Map<string, JournalEntry>();
  const records: AuditRecord[] = [];
  const registry = new Map<string, RegistryEntry>();
  const summaries = new Map<string, StoredSummary>();
  let base = { baseSeq: 0, baseHash: genesisHash };
  return {
    contents: {
      put: (hash, bytes) => void contents.set(hash, Uint8Array.from(bytes)),
      get: (hash) => contents.get(hash)?.slice(),
      storedBytes: (hash) => contents.get(hash)?.length,
      remove: (hash) => void contents.delete(hash),
      totals: () => ({
        count: contents.size,
        storedBytes: [...contents.values()].reduce((sum, bytes) => sum + bytes.length, 0),
      }),
    },
    versions: {
      add: (version) => void versions.push(version),
      list: (path, limit) =>
        versions
          .filter((version) => version.path === path)
          .toReversed()
          .slice(0, limit),
      get: (id) => versions.find((version) => version.id === id),
      all: () => [...versions],
      newest: () => [...new Map(versions.map((version) => [version.path, version])).values()],
      remove(ids) {
        const gone = new Set(ids);
        versions.splice(0, versions.length, ...versions.filter(({ id }) => !gone.has(id)));
      },
    },
    journal: {
      begin: (entry) => void journal.set(entry.id, entry),
      end: (id) => void journal.delete(id),
      open: () => [...journal.values()],
    },
    audit: {
      append: (record) => void records.push(record),
      last: () => records.at(-1),
      read: (after, limit) => records.filter(({ seq }) => seq > after).slice(0, limit),
      newest: ({ before, limit, caller, tool, session }) =>
        records
          .filter(
            (each) =>
              each.seq < before &&
              (caller ?? each.caller) === each.caller &&
              (tool ?? each.tool) === each.tool &&
              (session ?? each.session) === each.session,
          )
          .toReversed()
          .slice(0, limit),
      names: () => ({
        callers: [...new Set(records.map((each) => each.caller))].toSorted(),
        tools: [...new Set(records.map((each) => each.tool))].toSorted(),
      }),
      sessions: () => [],
      anchors(): AuditAnchors {
        const head = records.at(-1);
        return { ...base, headSeq: head?.seq ?? base.baseSeq, headHash: head?.hash ?? base.baseHash };
      },
      dropBefore({ baseSeq, baseHash }) {
        base = { baseSeq, baseHash };
        records.splice(0, records.length, ...records.filter(({ seq }) => seq > baseSeq));
      },
    },
    registry: {
      get: (path) => registry.get(path),
      put: (entry) => void registry.set(entry.path, entry),
      remove: (path) => void registry.delete(path),
      list: () => [...registry.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
      clear: () => registry.clear(),
    },
    summaries: {
      get: (path) => summaries.get(path),
      put: (summary) => void summaries.set(summary.path, summary),
      clear: () => summaries.clear(),
    },
    transaction: (work) => work(),
  };
}
