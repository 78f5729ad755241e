import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
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
 * as Dovecot has them too), and those beside mail in files. Never throws: what cannot be looked into is passed over.
 */
export async function innerMaildirs({ kind, path }: MailSource): Promise<string[]> {
  if (kind === "file") return [];
  const found: string[] = [];
  const isOwn = (name: string) => kind === "maildir" && ["cur", "new", "tmp"].includes(name);
  const waiting = (await foldersIn(path)).filter((name) => !isOwn(name)).map((inner) => ({ inner, depth: 1 }));
  for (let looked = 0; looked < mostFolders; looked += 1) {
    const next = waiting.shift();
    if (next === undefined) break;
    const { inner, depth } = next;
    const folders = await foldersIn(join(path, inner));
    if (folders.includes("cur") && folders.includes("new")) found.push(inner);
    else if (depth < deepest) waiting.push(...folders.map((name) => ({ inner: join(inner, name), depth: depth + 1 })));
  }
  return found.filter((inner) => !notReceived.has(labelName(lastPart(inner)))).sort();
}

/** `.Lists.Garden` is the folder Garden. */
function lastPart(inner: string): string {
  const name = basename(inner);
  return name.slice(name.lastIndexOf(".") + 1);
}

async function foldersIn(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    // Somebody else's, or gone: nobody here can look into it.
    return [];
  }
}
