import type { AuditRecord } from "../../access/audit/record.ts";
import type { FileAccess } from "../../access/file-access.ts";
import type { AccessSession } from "../../access/session/session.ts";
import { type Clock, pauseFor } from "../../connection/clock.ts";

/** How often it is looked whether any program has changed a file. */
const lookEveryMs = 250;
const nothing: ReadonlySet<string> = new Set();
/** A stream that is silent for longer is a dead one. */
const beatMs = 15_000;

/** A change of a file that went through Scouts, whoever made it. */
export interface FileChangeEvent {
  readonly path: string;
  /** What its content is called now, as in ETags; null: it was deleted. */
  readonly hash: string | null;
  readonly beforeHash: string | null;
  readonly versionId: string;
  readonly caller: string;
  readonly tool: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** One message of a stream. `place` is where a reader goes on that has had it: the number of a record of the audit trail. */
export type StreamMessage =
  | { readonly type: "change"; readonly place: number; readonly change: FileChangeEvent }
  /** Where the stream begins, and that what came before is not told: first word to whoever names no place, or one that is not kept. */
  | { readonly type: "open" | "reset"; readonly place: number }
  | { readonly type: "beat" };

export interface FollowChanges {
  readonly access: FileAccess;
  readonly session: AccessSession;
  readonly clock: Clock;
  /** False: the reader may hear no more, because the token or the folder is another. */
  readonly isStillGood: () => boolean;
}

/**
 * Changes of a project's files behind a place, as they come. The audit trail is where they are kept, so a place is good after
 * a restart, and changes of other processes are told too. Of files that may not be shown nothing is told.
 *
 * @param after a place; undefined: from now on
 */
export async function* followChanges(
  { access, session, clock, isStillGood }: FollowChanges,
  after: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage> {
  const { store } = access.kit;
  const { baseSeq, headSeq } = store.audit.anchors();
  const isKept = after !== undefined && after >= baseSeq && after <= headSeq;
  let place = isKept ? after : headSeq;
  if (!isKept) yield { type: after === undefined ? "open" : "reset", place };
  let silentSince = clock.now();
  while (!signal.aborted && isStillGood()) {
    const records = store.audit.read(place, 100);
    const paths = records.flatMap(({ files }) => files.map(({ path }) => path));
    const shown = paths.length === 0 ? nothing : await access.shownAmong(session, new Set(paths));
    for (const record of records) {
      place = record.seq;
      for (const change of changesIn(record, access, session, shown)) {
        silentSince = clock.now();
        yield { type: "change", place, change };
      }
    }
    if (records.length > 0) continue;
    if (clock.now() - silentSince >= beatMs) {
      silentSince = clock.now();
      yield { type: "beat" };
    }
    await pauseFor(clock, lookEveryMs, signal);
  }
}

function changesIn(
  { outcome, files, caller, tool, at }: AuditRecord,
  { kit }: FileAccess,
  { seesCredentials }: AccessSession,
  shown: ReadonlySet<string>,
): FileChangeEvent[] {
  if (outcome !== "ok" || tool === "audit_rotate") return [];
  const named = (hash: string | null) => (hash === null || seesCredentials ? hash : kit.names.nameOf({ hash }));
  return files.flatMap(({ path, beforeHash, afterHash, versionId }) =>
    versionId === null || !shown.has(path)
      ? []
      : [{ path, hash: named(afterHash), beforeHash: named(beforeHash), versionId, caller, tool, at }],
  );
}
