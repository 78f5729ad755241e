import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { labelName } from "./label-names.ts";
import type { MailSource } from "./mail-files.ts";

/** What a person has written or thrown away: nobody waits for a word about it. */
const notReceived: ReadonlySet<string> = new Set([
  "sent",
  "drafts",
  "spam",
  "trash",
  "sent items",
  "deleted items",
  "deleted messages",
  "junk e-mail",
  "outbox",
  "templates",
]);
/** An account's folder, and a folder in it: programs that fetch mail lay it down so. */
const deepest = 3;
/** Folders that are looked into; whoever has more is told of some. */
const mostFolders = 500;

/**
 * Maildirs within a mailbox that it does not hold the mail of, as paths in it: a Maildir's own folders (`.Work`, Maildir++; `Work`,
 * as Dovecot has them too), and those beside mail in files; and links to such folders, which are not followed. Never throws: what
 * cannot be looked into is passed over.
 */
export async function innerMaildirs({ kind, path }: MailSource): Promise<string[]> {
  if (kind === "file") return [];
  const found: string[] = [];
  const isOwn = (name: string) => kind === "maildir" && ["cur", "new", "tmp"].includes(name);
  const top = await inFolder(path);
  const links = [...top.links];
  const waiting = top.folders.filter((name) => !isOwn(name)).map((inner) => ({ inner, depth: 1 }));
  for (let looked = 0; looked < mostFolders; looked += 1) {
    const next = waiting.shift();
    if (next === undefined) break;
    const { inner, depth } = next;
    const entries = await inFolder(join(path, inner));
    if (isMaildir(entries)) {
      found.push(inner);
      continue;
    }
    links.push(...entries.links.map((name) => join(inner, name)));
    if (depth < deepest) {
      waiting.push(...entries.folders.map((name) => ({ inner: join(inner, name), depth: depth + 1 })));
    }
  }
  found.push(...(await ledToMail({ kind, path }, links.slice(0, mostFolders), found)));
  return found.filter((inner) => !notReceived.has(labelName(lastPart(inner)))).sort();
}

/** `.Lists.Garden` is the folder Garden. */
function lastPart(inner: string): string {
  const name = basename(inner);
  return name.slice(name.lastIndexOf(".") + 1);
}

interface Entries {
  readonly folders: readonly string[];
  readonly links: readonly string[];
  readonly files: readonly string[];
}

async function inFolder(path: string): Promise<Entries> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    const names = (some: readonly Dirent[]) => some.map(({ name }) => name);
    return {
      folders: names(entries.filter((entry) => entry.isDirectory())),
      links: names(entries.filter((entry) => entry.isSymbolicLink())),
      files: names(entries.filter((entry) => entry.isFile())),
    };
  } catch {
    // Somebody else's, or gone, or a link to a file: nobody here can look into it.
    return { folders: [], links: [], files: [] };
  }
}

const isMaildir = ({ folders }: Entries): boolean => folders.includes("cur") && folders.includes("new");

/** Those of some links that lead to a folder of mail outside of the mailbox, and to none that is named already. */
async function ledToMail(source: MailSource, links: readonly string[], named: readonly string[]): Promise<string[]> {
  const [top, ...known] = await Promise.all(["", ...named].map((inner) => whereIs(join(source.path, inner))));
  const seen = new Set(known);
  const found: string[] = [];
  for (const link of links) {
    const target = await whereIs(join(source.path, link));
    if (target === undefined || target === top || target.startsWith(`${top}${sep}`) || seen.has(target)) continue;
    seen.add(target);
    const entries = await inFolder(target);
    const isOfFiles = source.kind === "folder" && entries.files.some((name) => /^[^.].*\.(?:eml|mbox)$/i.test(name));
    if (isMaildir(entries) || isOfFiles) found.push(link);
  }
  return found;
}

/** Undefined for a link that leads nowhere. */
const whereIs = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);
