import { contentHash } from "../../files/content-hash.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import type { FileMetadata } from "../../files/file-metadata.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { SkipReason } from "./reasons.ts";

/** A file that somebody keeps writing to is left for the next scan. */
const maxAttempts = 3;

export type StableRead =
  | {
      readonly ok: true;
      readonly bytes: Uint8Array;
      readonly hash: string;
      readonly metadata: FileMetadata;
      /** When reading began. */
      readonly readAtMs: number;
    }
  | { readonly ok: false; readonly reason: SkipReason }
  | { readonly ok: false; readonly reason: "vanished" };

/**
 * A file's bytes together with the metadata that belong to them: metadata before, bytes, metadata after, and once more if
 * they differ, or the manifest would remember the hash of one content with the times of another.
 *
 * @param before metadata asked for already
 * @throws ProjectFilesError Cancelled; StorageFailed when the folder itself cannot be reached any more
 */
export async function readStable(
  files: ProjectFiles,
  path: string,
  maxBytes: number,
  now: () => number,
  before?: FileMetadata,
): Promise<StableRead> {
  try {
    let metadata = before ?? (await files.metadata(path));
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (metadata.kind !== "file") return { ok: false, reason: "vanished" };
      const readAtMs = now();
      const bytes = await files.read(path, { maxBytes });
      const after = await files.metadata(path);
      if (after.version === metadata.version && bytes.length === after.sizeBytes) {
        return { ok: true, bytes, hash: contentHash(bytes), metadata, readAtMs };
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
