import type { FileMetadata } from "./file-metadata.ts";
import type { ProjectFiles } from "./project-files.ts";

/** What a file's content is called, without the content. */
export interface HashedFile {
  /** `contentHash` of the bytes that were read. */
  readonly hash: string;
  readonly readBytes: number;
  /** Of the very file that was read, from after the last byte. */
  readonly metadata: FileMetadata;
}

/** A file's content and what it is called. */
export interface HashedBytes extends HashedFile {
  readonly bytes: Uint8Array;
}

/** A backend that opens a file once to read, hash and describe it, where `read` and `metadata` would each find it anew. */
export interface HashingFiles {
  /**
   * @param path as a walk gives it: no link lies on the way
   * @throws NotFound, NotAFile, TooLarge (larger than `maxBytes`), OutsideRoot or NotADirectory (a link has taken a place on the way)
   */
  hash(path: string, maxBytes: number): Promise<HashedFile>;
  /** As `hash`, with the bytes. */
  readHashed(path: string, maxBytes: number): Promise<HashedBytes>;
}

/** Whether this backend gives a file's bytes and their hash from one read, so that the two are of the same content. */
export function hashesFiles(files: ProjectFiles): files is ProjectFiles & HashingFiles {
  return "hash" in files && typeof files.hash === "function";
}
