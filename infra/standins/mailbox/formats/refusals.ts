import { lstat } from "node:fs/promises";
import { join } from "node:path";
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

const forms = "Give the path of an mbox file, a Maildir or a folder of .eml.";

/** Of a path where nothing is. @param cause what the file system said */
export const missingMailbox = (path: string, cause: unknown): StandInError =>
  new StandInError(
    "mailbox_missing",
    `There is no mailbox at ${path}. Check the path, and whether its drive is connected.`,
    cause,
  );

/** Of a pipe, a socket or a device. */
export const noMailFile = (path: string): StandInError =>
  new StandInError("mailbox_no_file", `${path} is neither a file nor a folder. ${forms}`);

/** Of a file that holds something else. */
export const notMail = (path: string): StandInError =>
  new StandInError(
    "mailbox_not_mail",
    `${path} is not a mailbox: an mbox file begins with a "From " line, a message with its header. ${forms}`,
  );

/** Of a folder that holds no mail, and does not say that it is for mail. @param inner Maildirs within it, of which one may be meant */
export const emptyFolder = (path: string, inner: readonly string[]): StandInError =>
  new StandInError(
    "mailbox_empty",
    `There is no mail in ${path}: no .eml and no .mbox file, and no folders of a Maildir (cur, new, tmp). ${meant(path, inner)}`,
  );

/** Of an empty file that does not say that it is for mail. */
export const emptyFile = (path: string): StandInError =>
  new StandInError(
    "mailbox_empty",
    `${path} is empty: an empty file is taken for an mbox where its name ends in .mbox or has no ending, or its folder is called mail. Check the path, or give it such a name.`,
  );

/** What the file system refuses, as a sentence. */
export const unreadableMailbox = (path: string, cause: unknown): StandInError =>
  new StandInError(
    "mailbox_unreadable",
    `The mailbox ${path} cannot be read. Check that its drive is connected, and that you may read it.`,
    cause,
  );

function meant(path: string, inner: readonly string[]): string {
  const [first] = inner;
  if (first === undefined) return "Check the path, or put mail there first.";
  const some = inner.slice(0, 5);
  const names = some.length === 1 ? first : `${some.slice(0, -1).join(", ")} and ${some.at(-1)}`;
  return `There are Maildirs in it, ${names}: give one of them, as ${join(path, first)}.`;
}
