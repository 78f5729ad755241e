import { StandInError } from "../../stand-in-error.ts";

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

/** Of what holds no mail, and does not say that it is for mail. */
export const emptyMailbox = (path: string, isFolder: boolean): StandInError =>
  new StandInError(
    "mailbox_empty",
    isFolder
      ? `There is no mail in ${path}: no .eml and no .mbox file, and no folders of a Maildir (cur, new, tmp). Check the path, or put mail there first.`
      : `${path} is empty: an empty file is taken for an mbox where its name ends in .mbox or has no ending, or its folder is called mail. Check the path, or give it such a name.`,
  );

/** What the file system refuses, as a sentence. */
export const unreadableMailbox = (path: string, cause: unknown): StandInError =>
  new StandInError(
    "mailbox_unreadable",
    `The mailbox ${path} cannot be read. Check that its drive is connected, and that you may read it.`,
    cause,
  );
