import { ProjectFilesError } from "./errors.ts";
import type { WriteOptions } from "./project-files.ts";

const writeBits = 0o222;

/**
 * Refuses to write over a file that nobody may write: its owner wants it as it is. A disk would not refuse it, since a new file
 * takes the name of the old one, which asks for the directory's permission alone; nor does it refuse root anything.
 *
 * @param mode permission bits of the file that is there; undefined: there is none, or nothing is known of them
 * @throws ProjectFilesError `AccessDenied`
 */
export function refuseReadOnly(path: string, mode: number | undefined, { evenReadOnly }: WriteOptions = {}): void {
  if (mode === undefined || (mode & writeBits) !== 0 || evenReadOnly === true) return;
  throw new ProjectFilesError("AccessDenied", { path, detail: "the file is read-only: make it writable first" });
}
