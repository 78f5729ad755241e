import type { AuditRecord } from "../audit/record.ts";

/**
 * What the access layer keeps about one project. Calls are synchronous; `transaction` makes several of them durable
 * together or not at all. Implementations MUST have stored everything when a call (or the outermost transaction) returns:
 * the journal is what makes a change of several files all or none.
 */
export interface AccessStore {
  readonly contents: ContentStore;
  readonly versions: VersionStore;
  readonly journal: JournalStore;
  readonly audit: AuditStore;
  readonly registry: RegistryStore;
  readonly summaries: SummaryStore;
  transaction<T>(work: () => T): T;
}

/** File contents by their SHA-256 (hex). Putting what is there already changes nothing. */
export interface ContentStore {
  put(hash: string, bytes: Uint8Array): void;
  get(hash: string): Uint8Array | undefined;
  /** Stored size in bytes, after compression; undefined when it is not kept. */
  storedBytes(hash: string): number | undefined;
  remove(hash: string): void;
  totals(): { count: number; storedBytes: number };
}

/** One state of one file. */
export interface FileVersion {
  /** Sorts by time. */
  readonly id: string;
  /** Canonical project path. */
  readonly path: string;
  /** Null: the file was deleted. */
  readonly hash: string | null;
  readonly sizeBytes: number;
  readonly mode: number | null;
  /** What the file was before; null: it was not there. */
  readonly beforeHash: string | null;
  readonly parentId: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly caller: string;
  /** The tool that made it; `observed` for a state found on disk before the first change. */
  readonly tool: string;
}

export interface VersionStore {
  add(version: FileVersion): void;
  /** Newest first. */
  list(path: string, limit: number): FileVersion[];
  get(id: string): FileVersion | undefined;
  /** Every version, oldest first. */
  all(): FileVersion[];
  /** The newest of every path. */
  newest(): FileVersion[];
  remove(ids: readonly string[]): void;
}

export interface FileState {
  readonly hash: string;
  readonly mode: number;
}

/** A change that has begun. Contents of both states are in the content store. */
export interface JournalEntry {
  readonly id: string;
  readonly at: number;
  readonly caller: string;
  readonly tool: string;
  readonly steps: readonly JournalStep[];
}

export interface JournalStep {
  readonly path: string;
  readonly before: FileState | null;
  readonly after: FileState | null;
}

export interface JournalStore {
  begin(entry: JournalEntry): void;
  end(id: string): void;
  /** Changes that have begun and not ended, oldest first. */
  open(): JournalEntry[];
}

/** Append-only but for `dropBefore`, which rotation calls after it has exported what it drops. */
export interface AuditStore {
  append(record: AuditRecord): void;
  last(): AuditRecord | undefined;
  /** Records with `seq` above `after`, ascending. */
  read(after: number, limit: number): AuditRecord[];
  /** Records with `seq` below `before`, the newest first, narrowed to what is given. */
  newest(wanted: AuditWanted): AuditRecord[];
  /** Who called and with which tool, in alphabetical order. */
  names(): { readonly callers: readonly string[]; readonly tools: readonly string[] };
  /** Sessions by their last call, the latest first. */
  sessions(limit: number): AuditSession[];
  /** What the trail should begin and end with. */
  anchors(): AuditAnchors;
  dropBefore(anchors: AuditAnchors): void;
}

export interface AuditWanted {
  readonly before: number;
  readonly limit: number;
  readonly caller?: string | undefined;
  readonly tool?: string | undefined;
  readonly session?: string | undefined;
}

/** What the calls of one session come to. Times in milliseconds since the epoch. */
export interface AuditSession {
  readonly session: string;
  readonly caller: string;
  readonly begunAt: number;
  readonly endedAt: number;
  readonly calls: number;
  /** Calls that changed files. */
  readonly changes: number;
  /** Calls that came to nothing. */
  readonly failures: number;
}

export interface AuditAnchors {
  /** `seq` and hash of the last record that was rotated out; 0 and the genesis hash at first. */
  readonly baseSeq: number;
  readonly baseHash: string;
  /** `seq` and hash of the newest record. */
  readonly headSeq: number;
  readonly headHash: string;
}

export const fileTags = ["doc", "config", "code", "test", "data", "image"] as const;
export type FileTag = (typeof fileTags)[number];

export const sensitivities = ["normal", "sensitive", "secret"] as const;
export type Sensitivity = (typeof sensitivities)[number];

/** What is known of a file without opening it again. */
export interface RegistryEntry {
  readonly path: string;
  readonly sizeBytes: number;
  readonly hash: string;
  readonly mtimeMs: number;
  /** `FileMetadata.version` when the hash was taken. */
  readonly fsVersion: string;
  readonly tags: readonly FileTag[];
  readonly sensitivity: Sensitivity;
  /** Newest first. */
  readonly versionIds: readonly string[];
}

export interface RegistryStore {
  get(path: string): RegistryEntry | undefined;
  put(entry: RegistryEntry): void;
  remove(path: string): void;
  /** By path, ascending. */
  list(): RegistryEntry[];
  clear(): void;
}

/** A summary of a content, redacted before it was made. */
export interface StoredSummary {
  readonly path: string;
  readonly hash: string;
  readonly text: string;
  readonly maxTokens: number;
  /** What made it: a model's name, or `built-in`. */
  readonly by: string;
  readonly at: number;
}

export interface SummaryStore {
  /** The newest summary of a path, whatever content it was made from. */
  get(path: string): StoredSummary | undefined;
  put(summary: StoredSummary): void;
  clear(): void;
}
