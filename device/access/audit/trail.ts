import { createHash } from "node:crypto";
import type { AccessStore } from "../store/access-store.ts";
import { type AuditEvent, type AuditFile, type AuditRecord, auditHash, filesLeftBy, genesisHash } from "./record.ts";

export type AuditVerdict =
  | { readonly ok: true; readonly records: number; readonly headHash: string }
  | {
      readonly ok: false;
      /** The first record that is not as it should be, or where one is missing. */
      readonly seq: number;
      readonly reason: "altered" | "missing" | "reordered" | "cut off";
    };

const pageSize = 1_000;

/** The append-only trail of every call. Each record carries the hash of the one before it. */
export class AuditTrail {
  readonly #store: AccessStore;
  readonly #now: () => number;

  constructor(store: AccessStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  append(event: AuditEvent): AuditRecord {
    return this.#store.transaction(() => {
      const { headSeq, headHash } = this.#store.audit.anchors();
      const unsigned = { ...event, seq: headSeq + 1, at: this.#now(), prevHash: headHash };
      const record = { ...unsigned, hash: auditHash(unsigned) };
      this.#store.audit.append(record);
      return record;
    });
  }

  /** The kept records, in order. */
  *records(after = 0): Generator<AuditRecord> {
    let at = after;
    for (
      let page = this.#store.audit.read(at, pageSize);
      page.length > 0;
      page = this.#store.audit.read(at, pageSize)
    ) {
      yield* page;
      at = page.at(-1)?.seq ?? at;
    }
  }

  /** At most so many of the newest records, in order. */
  newest(limit: number): AuditRecord[] {
    const { headSeq } = this.#store.audit.anchors();
    return [...this.records(Math.max(0, headSeq - limit))];
  }

  /** Whether every record is there, in its place and unaltered, up to the newest one. */
  verify(): AuditVerdict {
    const anchors = this.#store.audit.anchors();
    const verdict = verifyChain(this.records(anchors.baseSeq), anchors.baseSeq, anchors.baseHash);
    if (!verdict.ok) return verdict;
    const last = anchors.baseSeq + verdict.records;
    if (last !== anchors.headSeq || verdict.headHash !== anchors.headHash)
      return { ok: false, seq: last + 1, reason: "cut off" };
    return verdict;
  }

  /** The trail as JSON lines; each can be verified with {@link verifyChain}. */
  *export(): Generator<string> {
    for (const record of this.records(this.#store.audit.anchors().baseSeq)) yield `${JSON.stringify(record)}\n`;
  }

  /**
   * Lets go of records up to `seq`, which must have been exported. The chain goes on from the hash of the last of them,
   * with a record of what the trail has left in each file, so that a replay needs none of what was moved.
   * @returns how many
   */
  rotate(seq: number, caller = "person"): number {
    return this.#store.transaction(() => {
      const before = this.#store.audit.anchors();
      const last = this.#store.audit.read(seq - 1, 1)[0];
      if (seq <= before.baseSeq || last?.seq !== seq) return 0;
      const moved = seq - before.baseSeq;
      const files = [...filesLeftBy(this.records(before.baseSeq))].map(
        ([path, { hash, versionId }]): AuditFile => ({ path, beforeHash: hash, afterHash: hash, versionId }),
      );
      const args = { moved, upTo: seq };
      this.append({ caller, session: "", tool: "audit_rotate", args, decision: "none", outcome: "ok", files });
      this.#store.audit.dropBefore({ ...this.#store.audit.anchors(), baseSeq: seq, baseHash: last.hash });
      return moved;
    });
  }
}

/** Checks records, kept or exported, that should follow on `baseHash`. */
export function verifyChain(records: Iterable<AuditRecord>, baseSeq = 0, baseHash = genesisHash): AuditVerdict {
  let [seq, hash] = [baseSeq, baseHash];
  let count = 0;
  for (const record of records) {
    if (record.seq !== seq + 1)
      return { ok: false, seq: seq + 1, reason: record.seq > seq + 1 ? "missing" : "reordered" };
    if (auditHash(record) !== record.hash) return { ok: false, seq: record.seq, reason: "altered" };
    if (record.prevHash !== hash) return { ok: false, seq: record.seq, reason: "altered" };
    seq = record.seq;
    hash = record.hash;
    count++;
  }
  return { ok: true, records: count, headHash: hash };
}

/** Arguments that are content: their hash and length are kept, they are not. */
const contentArguments = new Set(["content", "patch"]);

/**
 * The arguments of a call as the trail keeps them: of content, and of any text longer than 4,096 characters, its
 * SHA-256 and length stand in its place. What is no object becomes `{}`.
 */
export function auditArguments(args: unknown): Record<string, unknown> {
  if (typeof args !== "object" || args === null) return {};
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === "string" && (contentArguments.has(name) || value.length > 4_096)
        ? { sha256: createHash("sha256").update(value).digest("hex"), chars: value.length }
        : value,
    ]),
  );
}
