import type { ImapFlow } from "imapflow";
import { ScoutsError } from "../../../../events/errors.ts";
import type { ItemRef } from "../../../../events/ids.ts";
import { fetchUids, folderIfThere, type OpenFolder, searchUids } from "./folders.ts";
import {
  arrivalQuery,
  boundedIdentityQuery,
  hasArrived,
  identityQuery,
  isNumberedRef,
  refsOf,
  startOfDay,
  type Where,
  whereOf,
} from "./identity.ts";
import { pageSize } from "./limits.ts";
import type { ImapAccess } from "./settings.ts";

/** Where a message was seen. Only a hint: it is looked at before it is believed. */
export interface Sighting {
  readonly folder: string;
  readonly uidValidity: bigint;
  readonly uid: number;
}

/** Remembers where messages were seen, so that whoever reads them need not search. */
export type Sightings = (ref: ItemRef, at: Sighting) => void;

const daySeconds = 86_400;

export interface Search {
  readonly client: ImapFlow;
  readonly access: ImapAccess;
  /** The last try met a header longer than a response may be. */
  readonly bounded: boolean;
  readonly note: Sightings;
  /** Selects folders so that messages may be moved. */
  readonly write?: boolean;
}

/**
 * Finds a message by its ref and leaves its folder selected: where it was seen, else by day and size in each of the
 * folders. However many messages a day has, all of them are looked at before one counts as gone; where those that are
 * passed over lie is remembered, so that a backlog is searched once and not for each of its messages.
 *
 * @returns nothing when it is in none of them
 * @throws source_folder_unknown when it is in none that is there, and one is not
 */
export async function locate(
  search: Search,
  ref: ItemRef,
  folders: readonly string[],
  hint: Sighting | undefined,
): Promise<Sighting | undefined> {
  const where = whereOf(ref);
  if (!where) return undefined;
  let isLacking = false;
  const likely = hint && folders.includes(hint.folder) ? hint : undefined;
  for (const path of likely ? [likely.folder, ...folders.filter((each) => each !== likely.folder)] : folders) {
    const folder = await folderIfThere(search.client, path, search.write);
    if (!folder) {
      isLacking = true;
      continue;
    }
    const seen = likely?.folder === path && likely.uidValidity === folder.uidValidity ? [likely.uid] : [];
    const among = (uids: readonly number[], note = search.note) =>
      matching({ ...search, note }, { ...folder, path }, ref, uids);
    const uid =
      // Whether it is the first of those that are alike, it alone does not tell.
      (await among(seen, () => {})) ??
      (await among(await bySize(search.client, where))) ??
      (await among(await byArrival(search, folder, ref, where)));
    if (uid !== undefined) return { folder: path, uidValidity: folder.uidValidity, uid };
  }
  if (isLacking) throw new ScoutsError("source_folder_unknown");
  return undefined;
}

async function matching(
  { client, access, bounded, note }: Search,
  { path, uidValidity }: OpenFolder,
  ref: ItemRef,
  uids: readonly number[],
): Promise<number | undefined> {
  const passed = new Set<ItemRef>();
  for (const page of pagesOf(uids)) {
    const messages = await fetchUids(client, page, bounded ? boundedIdentityQuery : identityQuery);
    let found: number | undefined;
    for (const message of messages) {
      const refs = refsOf(access, message, uidValidity);
      // By its number alone it is found without.
      for (const each of refs.slice(0, 2)) {
        // Of messages that are alike the first has the ref they share, as they are listed.
        if (!passed.has(each)) note(each, { folder: path, uidValidity, uid: message.uid });
        passed.add(each);
      }
      if (refs.includes(ref)) found ??= message.uid;
    }
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Servers search by the size they report, or nearly so. */
function bySize(client: ImapFlow, { seconds, sizeBytes }: Where): Promise<number[]> {
  const size = { larger: Math.max(0, sizeBytes - 1), smaller: sizeBytes + 1 };
  return searchUids(client, { ...days(seconds), ...size });
}

/**
 * For servers that do not: messages of these days whose time of arrival and size are those of the ref, for which no
 * header has to be read; or the one whose number is all that the ref was made of.
 */
async function byArrival(
  { client, access }: Search,
  { uidValidity }: OpenFolder,
  ref: ItemRef,
  where: Where,
): Promise<number[]> {
  const uids = await searchUids(client, where.seconds === 0 ? { all: true } : days(where.seconds));
  const numbered = uids.find((uid) => isNumberedRef(ref, access, uid, uidValidity));
  if (numbered !== undefined) return [numbered];
  const found: number[] = [];
  for (const page of pagesOf(uids)) {
    const messages = await fetchUids(client, page, arrivalQuery);
    found.push(...messages.filter((message) => hasArrived(message, where)).map(({ uid }) => uid));
  }
  return found;
}

/** A server's days begin when they do where it is: the one before and the one after are looked at too. */
const days = (seconds: number) =>
  seconds === 0 ? {} : { or: [-1, 0, 1].map((day) => ({ on: startOfDay(seconds + day * daySeconds) })) };

function* pagesOf(uids: readonly number[]): Generator<readonly number[]> {
  for (let from = 0; from < uids.length; from += pageSize) yield uids.slice(from, from + pageSize);
}
