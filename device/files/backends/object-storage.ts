/**
 * The part of an object store that `S3ProjectFiles` needs. Keys are UTF-8, at most 1,024 bytes (Amazon S3 User Guide,
 * "Naming Amazon S3 objects"). Implementations throw `ProjectFilesError`: `StorageFailed`, or `AccessDenied` for 401/403.
 */
export interface ObjectStorage {
  /** Undefined when there is no such object. `range` is half-open and lies within the object. */
  get(key: string, range?: { startByte: number; endByte: number }): Promise<StoredObject | undefined>;
  head(key: string): Promise<ObjectHead | undefined>;
  /**
   * Stores an object whole.
   * MUST, given `ifMatch`, store only over an object with that etag, and given `ifNoneMatch: "*"` only where none is; and
   * MUST decide so atomically (S3 conditional writes).
   * @returns the new etag, or undefined when the condition did not hold
   */
  put(key: string, bytes: Uint8Array, options: PutOptions): Promise<string | undefined>;
  /** @returns false when `ifMatch` did not hold. An object that is not there counts as removed. */
  delete(key: string, ifMatch?: string): Promise<boolean>;
  /** Objects directly under `prefix` (which ends in `/` or is empty) and the next segments that have objects under them. */
  list(prefix: string, limit?: number): AsyncIterable<ListedObject>;
}

export interface ObjectHead {
  etag: string;
  sizeBytes: number;
  modifiedMs: number;
  /** Permission bits kept beside the object. */
  mode: number | undefined;
}

export interface StoredObject extends ObjectHead {
  bytes: Uint8Array;
}

export interface PutOptions {
  mode: number;
  ifMatch?: string;
  ifNoneMatch?: "*";
}

/** `key` is whole; a `prefix` entry ends in `/`. */
export type ListedObject =
  | { kind: "object"; key: string; etag: string; sizeBytes: number; modifiedMs: number }
  | { kind: "prefix"; key: string };
