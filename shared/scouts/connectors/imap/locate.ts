import type { ImapFlow } from "imapflow";
import type { ItemRef } from "../../../../events/ids.ts";
import { fetchUids, type OpenFolder, openFolder, searchUids } from "./folders.ts";
import { boundedIdentityQuery, identityQuery, isRefOf, startOfDay, type Where, whereOf } from "./identity.ts";
import type { ImapAccess } from "./settings.ts";

/** Where a message was seen. Only a hint: it is looked at before it is believed. */
export interface Sighting {
  readonly folder: string;
  readonly uidValidity: bigint;
  readonly uid: number;
}

/** Messages of a few days that are looked at to find one; the newest, where there are more. */
const mostCandidates = 2_000;
const daySeconds = 86_400;

export interface Search {
  readonly client: ImapFlow;
  readonly access: ImapAccess;
  readonly bounded: boolean;
  /** Selects folders so that messages may be moved. */
  readonly write?: boolean;
}

/**
 * Finds a message by its ref and leaves its folder selected: where it was seen, else by day and size in each of the
 * folders.
 *
 * @returns nothing when it is in none of them
 */
export async function locate(
  search: Search,
  ref: ItemRef,
  folders: readonly string[],
  hint: Sighting | undefined,
): Promise<Sighting | undefined> {
  const where = whereOf(ref);
  if (!where) return undefined;
  const likely = hint && folders.includes(hint.folder) ? hint : undefined;
  for (const path of likely ? [likely.folder, ...folders.filter((each) => each !== likely.folder)] : folders) {
    const folder = await openFolder(search.client, path, search.write);
    const seen = likely?.folder === path && likely.uidValidity === folder.uidValidity ? [likely.uid] : [];
    const uid =
      (await matching(search, folder, ref, seen)) ??
      (await matching(search, folder, ref, await bySize(search.client, where))) ??
      (await matching(search, folder, ref, await byDay(search.client, where)));
    if (uid !== undefined) return { folder: path, uidValidity: folder.uidValidity, uid };
  }
  return undefined;
}

async function matching(
  { client, access, bounded }: Search,
  folder: OpenFolder,
  ref: ItemRef,
  uids: readonly number[],
): Promise<number | undefined> {
  const candidates = await fetchUids(client, uids, bounded ? boundedIdentityQuery : identityQuery);
  return candidates.find((message) => isRefOf(ref, access, message, folder.uidValidity))?.uid;
}

/** Servers search by the size they report, or nearly so. */
async function bySize(client: ImapFlow, { seconds, sizeBytes }: Where): Promise<number[]> {
  const size = { larger: Math.max(0, sizeBytes - 1), smaller: sizeBytes + 1 };
  return newest(await searchUids(client, { ...days(seconds), ...size }));
}

async function byDay(client: ImapFlow, { seconds }: Where): Promise<number[]> {
  return newest(await searchUids(client, seconds === 0 ? { all: true } : days(seconds)));
}

/** A server's days begin when they do where it is: the one before and the one after are looked at too. */
const days = (seconds: number) =>
  seconds === 0 ? {} : { or: [-1, 0, 1].map((day) => ({ on: startOfDay(seconds + day * daySeconds) })) };

const newest = (uids: readonly number[]) => uids.slice(-mostCandidates);
