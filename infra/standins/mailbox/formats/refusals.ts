import { lstat } from "node:fs/promises";
import { StandInError } from "../../stand-in-error.ts";

/** Refusals that are of a file or a folder; others, as too many open files or a drive that has gone, are of all of them. */
const ofOneFile = new Set(["EACCES", "EPERM", "ELOOP", "EISDIR", "ENOTDIR", "ENOENT", "ENAMETOOLONG", "EIO", "EINVAL"]);

/** Whether what the system refuses leaves other files of a mailbox readable. */
export const isOfOneFile = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && ofOneFile.has(error.code);

/** Whether nothing is there any more; a link is, wherever it leads. */
export async function hasGone(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}

/** What the file system refuses, as a sentence. */
export function unreadableMailbox(path: string, cause: unknown): StandInError {
  return new StandInError("mailbox_unreadable", `The mailbox ${path} cannot be read.`, cause);
}
