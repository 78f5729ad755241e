import type { ObjectKey, UploadRef } from "../../events/payload.ts";

/** A presigned POST (S3 API reference, "Browser-based uploads using POST"): the form fields, then the bytes as `file`. */
export interface Upload {
  readonly ref: UploadRef;
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Sealed payloads on their way. Nothing here knows a key: what is put and got is ciphertext. */
export interface Objects {
  /** Room for exactly `ref.bytes` bytes under `ref.key`, for so many seconds. */
  offer(ref: UploadRef, forSeconds: number): Promise<Upload>;
  /** `undefined` when there is no such object. */
  get(key: ObjectKey): Promise<Uint8Array | undefined>;
  put(key: ObjectKey, bytes: Uint8Array): Promise<void>;
  /** Any number of them; absent ones are fine. */
  delete(keys: readonly ObjectKey[]): Promise<void>;
  /** Deletes everything under a session's prefix, `user/session/`. @returns how many objects */
  deleteUnder(prefix: string): Promise<number>;
}
