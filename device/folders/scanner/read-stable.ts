import { contentHash } from "../../files/content-hash.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import type { FileMetadata } from "../../files/file-metadata.ts";
import { type HashedBytes, type HashedFile, hashesFiles } from "../../files/hashed-file.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { SkipReason } from "./reasons.ts";

/** A file that somebody keeps writing to is left for the next scan. */
const maxAttempts = 3;

export interface StableHash {
  readonly ok: true;
  readonly hash: string;
  readonly metadata: FileMetadata;
  /** When reading began. */
  readonly readAtMs: number;
}

export interface StableContent extends StableHash {
  readonly bytes: Uint8Array;
}

export type Unstable =
  | { readonly ok: false; readonly reason: SkipReason }
  | { readonly ok: false; readonly reason: "vanished" };

/** How a file is read once. */
type Look<T extends HashedFile> = (files: ProjectFiles, path: string, maxBytes: number) => Promise<T>;

/**
 * A file's bytes together with the metadata that belong to them: metadata before, bytes, metadata after, and once more if
 * they differ, or the manifest would remember the hash of one content with the times of another.
 *
 * @throws ProjectFilesError Cancelled; StorageFailed when the folder itself cannot be reached any more
 */
export async function readStable(
  files: ProjectFiles,
  path: string,
  maxBytes: number,
  now: () => number,
): Promise<StableContent | Unstable> {
  const look: Look<HashedBytes> = hashesFiles(files) ? () => files.readHashed(path, maxBytes) : readAndHash;
  const read = await lookStable(look, { files, path, maxBytes, now });
  return read.ok ? { ...read.stable, bytes: read.looked.bytes } : read;
}

/**
 * As {@link readStable}, without the bytes.
 * @param before metadata asked for already
 */
export async function hashStable(
  files: ProjectFiles,
  path: string,
  maxBytes: number,
  now: () => number,
  before: FileMetadata,
): Promise<StableHash | Unstable> {
  const look: Look<HashedFile> = hashesFiles(files) ? () => files.hash(path, maxBytes) : readAndHash;
  const read = await lookStable(look, { files, path, maxBytes, now, before });
  return read.ok ? read.stable : read;
}

interface Reading {
  readonly files: ProjectFiles;
  readonly path: string;
  readonly maxBytes: number;
  readonly now: () => number;
  readonly before?: FileMetadata;
}

async function lookStable<T extends HashedFile>(
  look: Look<T>,
  { files, path, maxBytes, now, before }: Reading,
): Promise<{ readonly ok: true; readonly stable: StableHash; readonly looked: T } | Unstable> {
  try {
    let metadata = before ?? (await files.metadata(path));
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (metadata.kind !== "file") return { ok: false, reason: "vanished" };
      const readAtMs = now();
      const looked = await look(files, path, maxBytes);
      const { hash, readBytes, metadata: after } = looked;
      if (after.version === metadata.version && readBytes === after.sizeBytes) {
        return { ok: true, stable: { ok: true, hash, metadata, readAtMs }, looked };
      }
      metadata = after;
    }
    return { ok: false, reason: "unstable" };
  } catch (error) {
    if (isProjectFilesError(error, "TooLarge")) return { ok: false, reason: "too_large" };
    if (isProjectFilesError(error, "AccessDenied")) return { ok: false, reason: "permission_denied" };
    if (isProjectFilesError(error, "NotFound", "NotADirectory", "NotAFile", "OutsideRoot", "InvalidPath")) {
      return { ok: false, reason: "vanished" };
    }
    if (!isProjectFilesError(error, "StorageFailed")) throw error;
    // One bad sector is the file's affair; a disk that went away is everybody's.
    await files.metadata("");
    return { ok: false, reason: "unreadable_disk" };
  }
}

async function readAndHash(files: ProjectFiles, path: string, maxBytes: number): Promise<HashedBytes> {
  const bytes = await files.read(path, { maxBytes });
  return { bytes, hash: contentHash(bytes), readBytes: bytes.length, metadata: await files.metadata(path) };
}
