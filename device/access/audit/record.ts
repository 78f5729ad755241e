import { createHash } from "node:crypto";

/** What one call did to one file, or showed of it. Only a change has a `versionId`. */
export interface AuditFile {
  readonly path: string;
  readonly beforeHash: string | null;
  readonly afterHash: string | null;
  readonly versionId: string | null;
  /** SHA-256 of the text that was given of the file, as it was given: without credentials, and cut. Of bytes, of the bytes. */
  readonly shownHash?: string;
}

/** What a call was; the trail adds number, time and chain. Content is in it by its SHA-256 only. */
export interface AuditEvent {
  readonly caller: string;
  readonly session: string;
  readonly tool: string;
  /** Arguments as given, every content among them replaced by `{ sha256, chars }`. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly decision: "allow" | "deny" | "approved" | "refused" | "none";
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  readonly files: readonly AuditFile[];
}

export interface AuditRecord extends AuditEvent {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly prevHash: string;
  /** SHA-256 over everything above, in hex. */
  readonly hash: string;
}

/** The hash before the first record. */
export const genesisHash = "0".repeat(64);

/** The hash a record must have: over its canonical JSON (keys sorted) without `hash`. */
export function auditHash(record: Omit<AuditRecord, "hash">): string {
  const { seq, at, prevHash, caller, session, tool, args, decision, outcome, files } = record;
  const covered = { seq, at, prevHash, caller, session, tool, args, decision, outcome, files };
  return createHash("sha256").update(canonicalJson(covered)).digest("hex");
}

/** JSON with sorted keys and no space, so that equal values have equal texts (RFC 8785 for the values used here). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(",")}}`;
}

/** What recorded calls left in each file they changed, in the end: its hash (null: deleted) and its version. */
export function filesLeftBy(
  records: Iterable<AuditRecord>,
): Map<string, { readonly hash: string | null; readonly versionId: string }> {
  const left = new Map<string, { hash: string | null; versionId: string }>();
  for (const { outcome, files } of records) {
    if (outcome !== "ok") continue;
    for (const { path, afterHash, versionId } of files) {
      if (versionId !== null) left.set(path, { hash: afterHash, versionId });
    }
  }
  return left;
}
