import { contentHash } from "../../files/content-hash.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import type { ProjectFiles } from "../../files/project-files.ts";

/** A file as found, with what is needed to replace exactly this state of it. */
export interface FoundFile {
  readonly bytes: Uint8Array;
  readonly hash: string;
  readonly mode: number;
  /** For `ifVersion`: taken before the bytes were, so a change in between is noticed. */
  readonly fsVersion: string;
}

/** Null when nothing is there. @throws ProjectFilesError for directories, too large files and the like */
export async function findFile(files: ProjectFiles, path: string, maxBytes?: number): Promise<FoundFile | null> {
  try {
    const { version, mode } = await files.metadata(path);
    const bytes = await files.read(path, maxBytes === undefined ? {} : { maxBytes });
    return { bytes, hash: contentHash(bytes), mode, fsVersion: version };
  } catch (error) {
    if (isProjectFilesError(error, "NotFound", "NotADirectory")) return null;
    throw error;
  }
}
