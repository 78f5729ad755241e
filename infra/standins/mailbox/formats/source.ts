import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { innerMaildirs } from "./inner-maildirs.ts";
import { layoutOf } from "./layout.ts";
import { describe, entriesBelow, holdsMailFiles, type MailFile, type MailSource } from "./mail-files.ts";
import { emptyFile, emptyFolder, missingMailbox, noMailFile, notMail, unreadableMailbox } from "./refusals.ts";

/**
 * Says what kind of mailbox lies at a path: an mbox file, a single message, a Maildir, or a folder of `.eml` and
 * `.mbox` files. An empty file may become any mailbox: see {@link requireForm}. Throws {@link StandInError} `mailbox_missing`,
 * `mailbox_unreadable`, `mailbox_no_file` or `mailbox_not_mail`.
 */
export async function detectSource(path: string): Promise<MailSource> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" || error.code === "ENOTDIR"
      ? missingMailbox(path, error)
      : unreadableMailbox(path, error);
  });
  if (found.isDirectory()) return { kind: (await isMaildir(path)) ? "maildir" : "folder", path };
  if (!found.isFile()) throw noMailFile(path);
  if (found.size > 0 && (await layoutOf(path)) === undefined) throw notMail(path);
  return { kind: "file", path };
}

/**
 * That a mailbox without mail is one all the same: a Maildir by its folders, an empty file by its name, as servers keep an
 * mbox (`/var/mail/ada`). Throws {@link StandInError} `mailbox_empty`.
 *
 * @param inner Maildirs within it, of which one may be meant
 */
export function requireForm({ kind, path }: MailSource, inner: readonly string[]): void {
  if (kind === "maildir" || (kind === "file" && isNamedAsMbox(path))) return;
  throw kind === "folder" ? emptyFolder(path, inner) : emptyFile(path);
}

function isNamedAsMbox(path: string): boolean {
  return ["", ".mbox", ".mbx"].includes(extname(path).toLowerCase()) || basename(dirname(path)) === "mail";
}

/**
 * That a home can be begun with what lies at a path: asked before anything is made of it. Throws {@link StandInError} as
 * {@link detectSource} and {@link requireForm}.
 */
export async function requireMailbox(path: string): Promise<void> {
  const source = await detectSource(path);
  if (!(await holdsMailFiles(source))) requireForm(source, await innerMaildirs(source));
}

/**
 * That a single file holds mail, where it holds anything. Throws {@link StandInError} `mailbox_not_mail`.
 *
 * @param isWritten whether what is there is to be judged: a first line that is half written tells nothing
 */
export async function requireMail({ path }: MailSource, isWritten: (file: MailFile) => boolean): Promise<void> {
  const file = await describe(path, "mbox", []);
  if (file !== undefined && isWritten(file) && (await layoutOf(path)) === undefined) throw notMail(path);
}

/**
 * That a folder of mail is where it was: what is not found in a folder that has gone away (a drive that was taken out) is not
 * gone. Throws {@link StandInError} `mailbox_unreadable`.
 */
export async function requireThere(source: MailSource): Promise<void> {
  if (source.kind === "file") return;
  const found = await stat(source.path).catch((error: NodeJS.ErrnoException) => {
    throw unreadableMailbox(source.path, error);
  });
  const isWhole = found.isDirectory() && (source.kind === "folder" || (await isMaildir(source.path)));
  if (!isWhole) throw unreadableMailbox(source.path, undefined);
}

/** Where the system tells of changes to a mailbox. */
export interface WatchedPlaces {
  readonly folders: readonly string[];
  /** What a change there has to be of; undefined: of anything. */
  readonly names?: ReadonlySet<string>;
}

/**
 * The folders in which a change to the mailbox shows, with links resolved: a mailbox that is moved may leave one. Of a single file
 * the one around it, because files are replaced whole, and the one around its link. Throws {@link StandInError} `mailbox_unreadable`.
 */
export async function watchedPlaces({ kind, path }: MailSource): Promise<WatchedPlaces> {
  const place = await placeOf(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadableMailbox(path, error);
  });
  if (kind === "file") {
    const both = [path, place];
    const names = [...both, ...both.map(lockOf)].map((each) => basename(each));
    return { folders: both.map((each) => dirname(each)), names: new Set(names) };
  }
  if (kind === "maildir") return { folders: [join(place, "new"), join(place, "cur")] };
  const { entries } = await entriesBelow(place);
  const nested = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  return { folders: [place, ...nested] };
}

/** Files that a program makes beside an mbox while it writes there, by the name it knows that under. */
export const locksOf = async (path: string): Promise<string[]> => [lockOf(path), lockOf(await placeOf(path))];

const lockOf = (path: string): string => `${path}.lock`;

/** With links resolved; as it is where nothing is there. */
function placeOf(path: string): Promise<string> {
  return realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return path;
    throw error;
  });
}

async function isMaildir(path: string): Promise<boolean> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw unreadableMailbox(path, error);
  });
  const folders = new Set(entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name));
  return folders.has("cur") && (folders.has("new") || folders.has("tmp"))
    ? true
    : folders.has("new") && folders.has("tmp");
}
