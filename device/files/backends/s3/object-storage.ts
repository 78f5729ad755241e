/**
 * The part of an object store that `S3ProjectFiles` needs. Keys are UTF-8, at most 1,024 bytes (Amazon S3 User Guide,
 * "Naming Amazon S3 objects"). Implementations throw `ProjectFilesError`: `BucketError` for what concerns the bucket as a whole,
 * `StorageFailed` for anything else.
 */
export interface ObjectStorage {
  /**
   * The bytes of an object, or of a range of it, all or none of them. Undefined when there is no such object.
   * @throws ProjectFilesError TooLarge, before anything is kept of it
   */
  get(key: string, options?: GetOptions): Promise<StoredObject | undefined>;
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
  /**
   * Objects directly under `prefix` (which ends in `/` or is empty) and the next segments that have objects under them.
   * @param limit how many are asked for at once; all are given
   */
  list(prefix: string, limit?: number): AsyncIterable<ListedObject>;
}

export interface GetOptions {
  /** Half-open, not empty; what lies beyond the object is left out. */
  range?: { startByte: number; endByte: number } | undefined;
  /** Of what is asked for. */
  maxBytes?: number | undefined;
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
