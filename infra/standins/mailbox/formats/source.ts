import type { Dirent, Stats } from "node:fs";
import { lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { emptyMailbox, missingMailbox, noMailFile, notMail, unreadableMailbox } from "./refusals.ts";

/** One file that holds mail, with what its place says about its messages. */
export interface MailFile {
  readonly path: string;
  readonly layout: "mbox" | "message";
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** Labels the format knows of (Maildir flags); inbox and unread when it knows nothing. */
  readonly labels: readonly string[];
}

/** A header is looked at so far. */
const headBytes = 64 * 1024;
/** RFC 5322, sections 3.6.1 to 3.6.7, and what servers that deliver write. */
const mailField =
  /^(?:From|Sender|Reply-To|To|Cc|Bcc|Date|Subject|Message-ID|In-Reply-To|Received|Return-Path|Delivered-To|MIME-Version)[ \t]*:/i;
/** A field, or a folded one's next line. */
const headerLine = /^(?:[\x21-\x39\x3b-\x7e]{1,76}[ \t]*:|[ \t])/;

export type MailSource = { readonly kind: "file" | "maildir" | "folder"; readonly path: string };

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
 */
export function requireForm({ kind, path }: MailSource): void {
  if (kind === "maildir" || (kind === "file" && isNamedAsMbox(path))) return;
  throw emptyMailbox(path, kind === "folder");
}

function isNamedAsMbox(path: string): boolean {
  return ["", ".mbox", ".mbx"].includes(extname(path).toLowerCase()) || basename(dirname(path)) === "mail";
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

/** What a look at a source has found. */
export interface MailFiles {
  /** In a stable order. Files that vanish while looking are left out. */
  readonly files: readonly MailFile[];
  /** Paths where mail should be and something else is, and files and folders that the system does not let us look at. */
  readonly unread: readonly string[];
}

/** What a source holds by now. Throws {@link StandInError} `mailbox_unreadable`. */
export async function listMailFiles(source: MailSource): Promise<MailFiles> {
  if (source.kind === "file") {
    const file = await describe(source.path, "mbox", ["INBOX", "UNREAD"]);
    const layout = file && (await layoutOf(source.path));
    return { files: file === undefined || layout === undefined ? [] : [{ ...file, layout }], unread: [] };
  }
  return source.kind === "maildir" ? listMaildir(source.path) : listFolder(source.path);
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

/** What lies in a folder and in those within it. A folder that cannot be looked into hides no other. */
async function entriesBelow(path: string): Promise<{ entries: Dirent[]; unread: string[] }> {
  const entries: Dirent[] = [];
  const unread: string[] = [];
  const waiting = [path];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const found = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => error);
    if (Array.isArray(found)) {
      entries.push(...found);
      waiting.push(...found.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name)));
    } else if (folder === path || !isOfOneFile(found)) throw unreadableMailbox(path, found);
    else if (found.code !== "ENOENT") unread.push(folder);
  }
  return { entries, unread };
}

async function listFolder(path: string): Promise<MailFiles> {
  const { entries, unread } = await entriesBelow(path);
  const files: MailFile[] = [];
  const paths = entries
    .filter((entry) => entry.isFile() && /\.(eml|mbox)$/i.test(entry.name) && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of paths) {
    const layout = /\.mbox$/i.test(file) ? "mbox" : "message";
    const described = await describeOne(file, layout, ["INBOX", "UNREAD"]);
    if (described === "unread") unread.push(file);
    else if (described !== undefined) files.push(described);
  }
  return { files, unread };
}

/**
 * A Maildir (https://cr.yp.to/proto/maildir.html): `tmp` is never looked at. `new` is listed before `cur`, because
 * readers move mail from the first to the second and a message must be seen at least once; seen twice it counts once.
 */
async function listMaildir(path: string): Promise<MailFiles> {
  const files = new Map<string, MailFile>();
  const unread: string[] = [];
  for (const folder of ["new", "cur"]) {
    const names = await readdir(join(path, folder)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw unreadableMailbox(join(path, folder), error);
    });
    for (const name of names) {
      if (name.startsWith(".")) continue;
      const described = await describeOne(join(path, folder, name), "message", maildirLabels(name));
      if (described === "unread") unread.push(join(path, folder, name));
      else if (described !== undefined) files.set(name.replace(/:2,.*$/s, ""), described);
    }
  }
  return { files: [...files.values()].sort((a, b) => (basename(a.path) < basename(b.path) ? -1 : 1)), unread };
}

function maildirLabels(name: string): string[] {
  const flags = /:2,([A-Za-z]*)$/.exec(name)?.[1] ?? "";
  if (flags.includes("T")) return ["TRASH"];
  if (flags.includes("D")) return ["DRAFT"];
  return ["INBOX", ...(flags.includes("S") ? [] : ["UNREAD"]), ...(flags.includes("F") ? ["STARRED"] : [])];
}

async function describe(path: string, layout: MailFile["layout"], labels: string[]): Promise<MailFile | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw unreadableMailbox(path, error);
  });
  return found && mailFileOf(found, path, layout, labels);
}

function mailFileOf(
  found: Stats,
  path: string,
  layout: MailFile["layout"],
  labels: readonly string[],
): MailFile | undefined {
  if (!found.isFile() || found.size === 0) return undefined;
  return { path, layout, sizeBytes: found.size, modifiedMs: found.mtimeMs, labels };
}

/** One file of many; `unread` for a folder in its place, a link to nothing, and what the system does not let us look at. */
async function describeOne(
  path: string,
  layout: MailFile["layout"],
  labels: string[],
): Promise<MailFile | "unread" | undefined> {
  try {
    const found = await stat(path);
    return found.isDirectory() ? "unread" : mailFileOf(found, path, layout, labels);
  } catch (error) {
    if (!isOfOneFile(error)) throw unreadableMailbox(path, error);
    return (await hasGone(path)) ? undefined : "unread";
  }
}

/** Whether nothing is there any more; a link is, wherever it leads. */
async function hasGone(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}

/** Refusals that are of a file or a folder; others, as too many open files or a drive that has gone, are of all of them. */
const ofOneFile = new Set(["EACCES", "EPERM", "ELOOP", "EISDIR", "ENOTDIR", "ENOENT", "ENAMETOOLONG", "EIO", "EINVAL"]);

/** Whether what the system refuses leaves other files of a mailbox readable. */
export const isOfOneFile = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && ofOneFile.has(error.code);

async function layoutOf(path: string): Promise<MailFile["layout"] | undefined> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw unreadableMailbox(path, error);
  });
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const start = buffer.toString("latin1", 0, bytesRead).replace(/^(?:\xef\xbb\xbf)?[\r\n]+|^\xef\xbb\xbf/, "");
    if (/^From [^\n]*\r?\n/.test(start)) return "mbox";
    return hasHeader(start.replace(/^>From [^\n]*\n/, "")) ? "message" : undefined;
  } finally {
    await file.close();
  }
}

/**
 * Whether a text begins as a message does: with fields and nothing else up to where something is named that every mail
 * has some of. A list of accounts and settings have lines of that form as well.
 */
function hasHeader(text: string): boolean {
  for (const line of text.split("\n")) {
    if (mailField.test(line)) return true;
    if (!headerLine.test(line)) return false;
  }
  return false;
}
