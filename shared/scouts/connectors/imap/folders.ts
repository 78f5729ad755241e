import type { FetchMessageObject, FetchQueryObject, ImapFlow, MailboxObject, SearchObject } from "imapflow";
import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import { imapFailure, willPass } from "./failures.ts";

/** A folder that is selected on a connection. */
export interface OpenFolder {
  readonly path: string;
  readonly uidValidity: bigint;
  /** Every message has a number below it. */
  readonly uidNext: number;
  readonly count: number;
}

/**
 * Selects a folder by the name a mail program shows; on the wire it is modified UTF-7 (RFC 3501 §5.1.3) or UTF-8.
 *
 * @throws source_folder_unknown
 */
export async function openFolder(client: ImapFlow, path: string, write = false): Promise<OpenFolder> {
  const box = await select(client, path, write);
  if (!box?.uidValidity) throw new ScoutsError("source_unreadable", { data: { what: "uidvalidity" } });
  const count = box.exists ?? 0;
  return {
    path: box.path,
    uidValidity: box.uidValidity,
    uidNext: box.uidNext || (await nextUid(client, count)),
    count,
  };
}

/** The same; nothing where the server has no such folder, or does not open it. */
export async function folderIfThere(client: ImapFlow, path: string, write = false): Promise<OpenFolder | undefined> {
  try {
    return await openFolder(client, path, write);
  } catch (error) {
    if (isScoutsError(error, "source_folder_unknown")) return undefined;
    throw error;
  }
}

/** Selects the first of some folders that is there. @returns its name, or nothing */
export async function firstThere(client: ImapFlow, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await folderIfThere(client, path)) return path;
  return undefined;
}

async function select(client: ImapFlow, path: string, write: boolean): Promise<MailboxObject> {
  try {
    return await client.mailboxOpen(path, { readOnly: !write });
  } catch (error) {
    const failure = imapFailure(error);
    // Servers refuse a folder they do not have with NO and words of their own.
    const refused = error instanceof Error && "responseStatus" in error && error.responseStatus === "NO";
    if (refused && isScoutsError(failure, "source_unavailable") && client.usable && !willPass(error)) {
      throw new ScoutsError("source_folder_unknown", { cause: error });
    }
    throw failure;
  }
}

/** For servers that do not say UIDNEXT (it is optional in RFC 2060's time). */
async function nextUid(client: ImapFlow, count: number): Promise<number> {
  if (count === 0) return 1;
  const last = await client.fetchOne("*", { uid: true });
  return (last ? last.uid : 0) + 1;
}

/** Numbers of messages in the selected folder, ascending. @throws source_unavailable when the server does not search */
export async function searchUids(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const found = await client.search(query, { uid: true });
  if (!found) throw new ScoutsError("source_unavailable", { data: { what: "search" } });
  return [...found].sort((a, b) => a - b);
}

/** What the server says of messages by their numbers: those it still has, each once, and no others. */
export async function fetchUids(
  client: ImapFlow,
  uids: readonly number[],
  query: FetchQueryObject,
): Promise<FetchMessageObject[]> {
  if (uids.length === 0) return [];
  const wanted = new Set(uids);
  const found = new Map<number, FetchMessageObject>();
  for await (const message of client.fetch(uids.join(","), query, { uid: true })) {
    // Servers tell of other messages in between, and of the same one in pieces.
    if (!message.uid || !wanted.has(message.uid)) continue;
    const known = found.get(message.uid);
    found.set(message.uid, known ? { ...known, ...message } : message);
  }
  // ImapFlow gives nothing, and no error, where the connection has ended: that must not pass for messages that are gone.
  if (!client.usable || !client.mailbox) throw new ScoutsError("source_unavailable", { data: { what: "fetch" } });
  return [...found.values()].sort((a, b) => a.uid - b.uid);
}

/** The folder a server or its users keep for something (RFC 6154), by its name. */
export async function specialFolder(client: ImapFlow, use: "\\Trash" | "\\Sent"): Promise<string | undefined> {
  const folders = await client.list();
  return folders.find(({ specialUse, flags }) => specialUse === use && !flags.has("\\Noselect"))?.path;
}
