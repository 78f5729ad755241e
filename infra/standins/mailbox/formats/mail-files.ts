import type { Dirent, Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { type Layout, layoutOf } from "./layout.ts";
import { hasGone, isOfOneFile, unreadableMailbox } from "./refusals.ts";

/** One file that holds mail, with what its place says about its messages. */
export interface MailFile {
  readonly path: string;
  readonly layout: Layout;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** Labels the format knows of (Maildir flags); inbox and unread when it knows nothing. */
  readonly labels: readonly string[];
}

export type MailSource = { readonly kind: "file" | "maildir" | "folder"; readonly path: string };

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

/** Whether a source holds a file that mail may be in. Throws {@link StandInError} `mailbox_unreadable`. */
export async function holdsMailFiles(source: MailSource): Promise<boolean> {
  if (source.kind !== "folder") return (await listMailFiles(source)).files.length > 0;
  const { entries } = await entriesBelow(source.path);
  // One is enough: a folder may have a hundred thousand.
  for (const entry of entries.filter(isNamedAsMail)) {
    if ((await describeOne(join(entry.parentPath, entry.name), "message", [])) !== undefined) return true;
  }
  return false;
}

const isNamedAsMail = ({ name }: Dirent): boolean => /\.(eml|mbox)$/i.test(name) && !name.startsWith(".");

/** What lies in a folder and in those within it. A folder that cannot be looked into hides no other. */
export async function entriesBelow(path: string): Promise<{ entries: Dirent[]; unread: string[] }> {
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

/** Links to files are followed, those to folders are not: one may lead round in a circle, or to a whole disk. */
async function listFolder(path: string): Promise<MailFiles> {
  const { entries, unread } = await entriesBelow(path);
  const files: MailFile[] = [];
  const mail = entries.filter(isNamedAsMail);
  const pathsOf = (some: readonly Dirent[]) => some.map((entry) => join(entry.parentPath, entry.name)).sort();
  const own = pathsOf(mail.filter((entry) => entry.isFile()));
  const linked = pathsOf(mail.filter((entry) => entry.isSymbolicLink()));
  for (const file of [...own, ...(await leadingElsewhere(path, own, linked))]) {
    const layout = /\.mbox$/i.test(file) ? "mbox" : "message";
    const described = await describeOne(file, layout, ["INBOX", "UNREAD"]);
    if (described === "unread") unread.push(file);
    else if (described !== undefined) files.push(described);
  }
  return { files, unread };
}

/** Those of some links that lead to no mail of the folder itself, nor where one before them leads. */
async function leadingElsewhere(folder: string, own: readonly string[], links: readonly string[]): Promise<string[]> {
  if (links.length === 0) return [];
  const top = await realpath(folder);
  const seen = new Set(own.map((file) => join(top, relative(folder, file))));
  const elsewhere: string[] = [];
  for (const link of links) {
    // One that leads nowhere is itself what cannot be read.
    const target = await realpath(link).catch(() => link);
    if (!seen.has(target)) elsewhere.push(link);
    seen.add(target);
  }
  return elsewhere;
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

/** A file that holds something; undefined when it does not, or is not there. */
export async function describe(path: string, layout: Layout, labels: string[]): Promise<MailFile | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw unreadableMailbox(path, error);
  });
  return found && mailFileOf(found, path, layout, labels);
}

function mailFileOf(found: Stats, path: string, layout: Layout, labels: readonly string[]): MailFile | undefined {
  if (!found.isFile() || found.size === 0) return undefined;
  return { path, layout, sizeBytes: found.size, modifiedMs: found.mtimeMs, labels };
}

/** One file of many; `unread` for a folder in its place, a link to nothing, and what the system does not let us look at. */
async function describeOne(path: string, layout: Layout, labels: string[]): Promise<MailFile | "unread" | undefined> {
  try {
    const found = await stat(path);
    return found.isDirectory() ? "unread" : mailFileOf(found, path, layout, labels);
  } catch (error) {
    if (!isOfOneFile(error)) throw unreadableMailbox(path, error);
    return (await hasGone(path)) ? undefined : "unread";
  }
}
