import type { ImapFlow } from "imapflow";
import { addressParser } from "postal-mime";
import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import type { ItemRef } from "../../../../events/ids.ts";
import type { KeptReason } from "../../../../events/proposals/verdict.ts";
import type { Archive, ScoutAtSource } from "../connector.ts";
import { fieldOf } from "../mail/part.ts";
import { fetchUids, firstThere, openFolder, searchUids, specialFolder } from "./folders.ts";
import { maxHeaderBytes } from "./limits.ts";
import { locate, type Search, type Sighting } from "./locate.ts";
import { rawHeaderFields } from "./message/raw-header-fields.ts";
import { stateOf } from "./message/state.ts";

/** Runs a task on the scout's connection. */
export type OnMailbox = <T>(scout: ScoutAtSource, task: (search: Search) => Promise<T>) => Promise<T>;

/** Flags and keywords that say a message matters to somebody; `$Important` is Gmail's and RFC 8457's. */
const protecting: readonly (readonly [flag: string, reason: KeptReason])[] = [
  ["\\flagged", "starred"],
  ["$important", "important"],
  ["\\answered", "correspondent"],
  ["$forwarded", "correspondent"],
];

/**
 * The server's Trash. Messages are put there by `MOVE` (RFC 6851), which is one step: a copy that is followed by deleting
 * could end in between, and deleting takes along what others have marked. A server without it, or without a Trash, has no
 * archive.
 */
export class ImapArchive implements Archive {
  readonly #on: OnMailbox;

  constructor(on: OnMailbox) {
    this.#on = on;
  }

  granted(scout: ScoutAtSource): Promise<boolean> {
    return this.#on(scout, async ({ client }) => {
      if (!canMove(client)) throw new ScoutsError("source_lacks_move");
      if ((await specialFolder(client, "\\Trash")) === undefined) throw new ScoutsError("source_lacks_trash");
      return true;
    });
  }

  /**
   * The flags are read last, and once more where the message lies then, so that what somebody did in between brings it
   * back:
   *
   *   we      read: unchanged ─────────── move ─ read in Trash: flagged ─ move back
   *   person                    flags it
   */
  archive(scout: ScoutAtSource, ref: ItemRef, state: string): Promise<"archived" | "there" | KeptReason> {
    return this.#on(scout, async (search) => {
      const { client, access } = search;
      const trash = await trashOf(client);
      if (trash === undefined) return "not_granted";
      const found = await locate({ ...search, write: true }, ref, access.folders, undefined).catch(unlessHidden);
      if (!found) return this.#elsewhere(search, ref, trash);
      const known = await correspondent(client, found);
      if (known !== undefined) return known;
      await openFolder(client, found.folder, true);
      const [fresh] = await fetchUids(client, [found.uid], { uid: true, flags: true });
      if (!fresh) return this.#elsewhere(search, ref, trash);
      const kept = decide(fresh.flags, state);
      if (kept !== undefined) return kept;
      await move(client, found.uid, trash);
      const there = await locate({ ...search, write: true }, ref, [trash], undefined);
      if (!there) return "archived";
      const [moved] = await fetchUids(client, [there.uid], { uid: true, flags: true });
      if (moved === undefined || decide(moved.flags, state) === undefined) return "archived";
      await move(client, there.uid, found.folder);
      return "changed";
    });
  }

  restore(scout: ScoutAtSource, ref: ItemRef): Promise<void> {
    return this.#on(scout, async (search) => {
      const { client, access } = search;
      const home = await firstThere(client, access.folders);
      if (home === undefined) throw new ScoutsError("source_folder_unknown");
      const trash = await trashOf(client);
      const there = trash && (await locate({ ...search, write: true }, ref, [trash], undefined));
      if (there) return move(client, there.uid, home);
      if (!(await locate(search, ref, access.folders, undefined))) throw new ScoutsError("item_gone");
    });
  }

  async #elsewhere(search: Search, ref: ItemRef, trash: string): Promise<"there"> {
    if (await locate(search, ref, [trash], undefined)) return "there";
    throw new ScoutsError("item_gone");
  }
}

/** What lies in a folder that is not there stays where it is. */
function unlessHidden(error: unknown): undefined {
  if (!isScoutsError(error, "source_folder_unknown")) throw error;
}

const canMove = (client: ImapFlow): boolean => client.capabilities.has("MOVE") || client.capabilities.has("IMAP4rev2");

const trashOf = async (client: ImapFlow): Promise<string | undefined> =>
  canMove(client) ? specialFolder(client, "\\Trash") : undefined;

async function move(client: ImapFlow, uid: number, to: string): Promise<void> {
  const moved = await client.messageMove(String(uid), to, { uid: true });
  if (!moved) throw new ScoutsError("source_unavailable", { data: { what: "move" } });
}

function decide(flags: ReadonlySet<string> | undefined, state: string): KeptReason | undefined {
  const set = new Set([...(flags ?? [])].map((flag) => flag.toLowerCase()));
  const reason = protecting.find(([flag]) => set.has(flag))?.[1];
  return reason ?? (stateOf(flags) === state ? undefined : "changed");
}

/** Whether the mailbox's owner has ever written to a sender. Who cannot be looked up counts as known. */
async function correspondent(client: ImapFlow, { uid }: Sighting): Promise<KeptReason | undefined> {
  const header = { key: "HEADER", start: 0, maxLength: maxHeaderBytes };
  const [message] = await fetchUids(client, [uid], { uid: true, bodyParts: [header] });
  // Addresses are of ASCII, whatever names beside them are written in; what a server says is NIL comes as `false`.
  const from = message?.headers instanceof Uint8Array ? fieldOf(rawHeaderFields(message.headers), "from") : "";
  const addresses = addressParser(from, { flatten: true }).map(({ address }) => address ?? "");
  const sent = await specialFolder(client, "\\Sent");
  if (sent === undefined || addresses.length === 0) return "sender_unknown";
  if (!addresses.every((address) => /^[\x21-\x7e]{1,254}$/.test(address) && address.includes("@")))
    return "sender_unknown";
  await openFolder(client, sent);
  for (const address of addresses) {
    if ((await searchUids(client, { to: address })).length > 0) return "correspondent";
    if ((await searchUids(client, { cc: address })).length > 0) return "correspondent";
  }
  return undefined;
}
