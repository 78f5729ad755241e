import type { FetchMessageObject, ImapFlow } from "imapflow";
import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import type { ItemRef } from "../../../../events/ids.ts";
import type { Listing, Position } from "../connector.ts";
import { imapFailure } from "./failures.ts";
import { fetchUids, folderIfThere, type OpenFolder, searchUids } from "./folders.ts";
import {
  boundedIdentityQuery,
  identityQuery,
  isNameless,
  isWhole,
  numberedRef,
  receivedAtMs,
  refOf,
  startOfDay,
} from "./identity.ts";
import { pageSize } from "./limits.ts";
import type { Search } from "./locate.ts";
import {
  type FolderPlace,
  type ImapCursor,
  type ImapPage,
  readCursor,
  readPage,
  writeCursor,
  writePage,
} from "./position.ts";
import { folderTag, type ImapAccess } from "./settings.ts";

/** A folder that was renumbered is searched from a day before it was last complete, at most a month back. */
const marginSeconds = 86_400;
const windowSeconds = 30 * 86_400;
/** Numbers looked at in one search: gaps between them are small but for folders that were emptied. */
const searchSpan = 5_000;

export interface ListingTask extends Omit<Search, "write"> {
  readonly nowMs: number;
}

interface Naming {
  /** Since when refs are made as they are: see {@link refOf}. */
  readonly namedFrom: number;
  /** What arrived before is left out; seconds since 1970. */
  readonly since: number | undefined;
}

/** From now on: what each folder has by now is not news. */
export async function cursorNow({ client, access, nowMs }: Omit<ListingTask, "note" | "bounded">): Promise<string> {
  const completeAt = Math.floor(nowMs / 1000);
  const folders: Record<string, FolderPlace> = {};
  for (const path of access.folders) {
    const folder = await folderIfThere(client, path);
    folders[folderTag(access, path)] = folder ? placeOf(folder) : awaited(undefined, completeAt);
  }
  return writeCursor({ completeAt, namedFrom: 0, folders });
}

const placeOf = ({ uidValidity, uidNext }: OpenFolder): FolderPlace => ({
  validity: String(uidValidity),
  next: uidNext,
});

/** Of a folder that is not there: should it come back, it is read on from where it was left. No server has a numbering 0. */
const awaited = (known: FolderPlace | undefined, completeAt: number): FolderPlace => ({
  validity: "0",
  next: 1,
  ...known,
  completeAt: known?.completeAt ?? completeAt,
});

/**
 * One page of what is new: folder by folder, by growing UIDs. Where the server has numbered a folder anew, or goes back
 * behind a number it had promised, what has arrived since shortly before the folder was last complete is listed again,
 * under the refs it had, and the gap is told. A folder that is not there keeps none of the others waiting.
 *
 * @throws source_folder_unknown when none of them is there
 */
export async function listNew(task: ListingTask, position: Position): Promise<Listing> {
  const { client, access, nowMs } = task;
  const cursor = readCursor(position.cursor);
  const page: ImapPage =
    position.page === undefined ? { startedAt: Math.floor(nowMs / 1000), done: {} } : readPage(position.page);
  // What was listed before keeps its refs, however far the server's clock is ahead.
  const namedFrom = cursor.namedFrom ?? page.startedAt + marginSeconds;
  const done = { ...page.done };
  let { gapFrom } = page;
  for (const path of access.folders) {
    const tag = folderTag(access, path);
    if (done[tag]) continue;
    const known = cursor.folders[tag];
    const folder = await folderIfThere(client, path);
    if (!folder) {
      done[tag] = awaited(known, known ? cursor.completeAt : page.startedAt);
      continue;
    }
    const begun = page.now?.tag === tag && page.now.validity === String(folder.uidValidity) ? page.now : undefined;
    const now = begun ?? stretch(tag, folder, known ?? successor(access, cursor), cursor.completeAt, page.startedAt);
    // A folder that was chosen since: from now on.
    if (now === undefined) {
      done[tag] = placeOf(folder);
      continue;
    }
    if (now.since !== undefined) gapFrom = Math.min(gapFrom ?? now.since, now.since);
    const found = await nextUids(client, now.from, now.to, now.since);
    const refs = await listedRefs({ ...task, namedFrom, since: now.since }, folder, path, found.uids);
    if (found.next >= now.to) done[tag] = { validity: now.validity, next: now.to };
    const rest = found.next >= now.to ? {} : { now: { ...now, from: found.next } };
    const isLast = access.folders.every((each) => done[folderTag(access, each)]);
    if (!isLast && (refs.length > 0 || "now" in rest)) {
      const next: ImapPage = {
        startedAt: page.startedAt,
        done,
        ...(gapFrom === undefined ? {} : { gapFrom }),
        ...rest,
      };
      return { refs, nextPage: writePage(next), ...lackIn(access, { ...cursor.folders, ...done }) };
    }
    if (isLast) return finished(refs);
  }
  return finished([]);

  function finished(refs: ItemRef[]): Listing {
    const places = access.folders.flatMap((path) => {
      const tag = folderTag(access, path);
      return done[tag] ? [[tag, done[tag]] as const] : [];
    });
    if (places.every(([, { completeAt }]) => completeAt !== undefined)) throw new ScoutsError("source_folder_unknown");
    return {
      refs,
      cursor: writeCursor({ completeAt: page.startedAt, namedFrom, folders: Object.fromEntries(places) }),
      ...(gapFrom === undefined ? {} : { gap: { fromMs: gapFrom * 1000, toMs: page.startedAt * 1000 } }),
      ...lackIn(access, done),
    };
  }
}

/** Whether one of the folders that are to be read is not there. */
function lackIn(access: ImapAccess, places: Readonly<Record<string, FolderPlace>>): Pick<Listing, "lacks"> {
  const isLacking = access.folders.some((path) => places[folderTag(access, path)]?.completeAt !== undefined);
  return isLacking ? { lacks: "source_folder_unknown" } : {};
}

/**
 * What a folder that was chosen since takes over from those it was chosen in place of: it may be one of them under another
 * name, so it is read from when they were last complete. Nothing where it was chosen besides.
 */
function successor(access: ImapAccess, { folders, completeAt }: ImapCursor): FolderPlace | undefined {
  const chosen = new Set(access.folders.map((path) => folderTag(access, path)));
  const left = Object.entries(folders).filter(([tag]) => !chosen.has(tag));
  if (left.length === 0) return undefined;
  return awaited(undefined, Math.min(...left.map(([, place]) => place.completeAt ?? completeAt)));
}

function stretch(
  tag: string,
  folder: OpenFolder,
  known: FolderPlace | undefined,
  completeAt: number,
  startedAt: number,
): ImapPage["now"] {
  if (known === undefined) return undefined;
  const validity = String(folder.uidValidity);
  const to = folder.uidNext;
  if (known.validity === validity && to >= known.next) return { tag, validity, from: known.next, to };
  const since = Math.max(0, (known.completeAt ?? completeAt) - marginSeconds, startedAt - windowSeconds);
  return { tag, validity, from: 1, to, since };
}

/** Up to a page of numbers from `from` on, and where to go on. */
async function nextUids(
  client: ImapFlow,
  from: number,
  to: number,
  sinceSeconds: number | undefined,
): Promise<{ uids: readonly number[]; next: number }> {
  if (from >= to) return { uids: [], next: to };
  // Days are the server's, wherever it is: one more is looked at.
  const since = sinceSeconds === undefined ? {} : { since: startOfDay(sinceSeconds - 86_400) };
  const inRange = (last: number) => searchUids(client, { uid: `${from}:${last}`, ...since });
  const near = Math.min(to - 1, from + searchSpan - 1);
  let found = within(await inRange(near), from, near);
  let last = near;
  if (found.length === 0 && near < to - 1) {
    found = within(await inRange(to - 1), from, to - 1);
    last = to - 1;
  }
  if (found.length <= pageSize) return { uids: found, next: last + 1 };
  const uids = found.slice(0, pageSize);
  return { uids, next: (uids.at(-1) ?? last) + 1 };
}

/** `5:3` means `3:5` to a server (RFC 9051, seq-range), and some answer more than was asked for. */
const within = (uids: readonly number[], from: number, to: number) => uids.filter((uid) => uid >= from && uid <= to);

async function listedRefs(
  { client, access, note, bounded, namedFrom, since }: ListingTask & Naming,
  folder: OpenFolder,
  path: string,
  uids: readonly number[],
): Promise<ItemRef[]> {
  const { uidValidity } = folder;
  const query = bounded ? boundedIdentityQuery : identityQuery;
  const told = (await fetchUids(client, uids, query)).filter((message) => bounded || isWhole(message));
  const known = new Set(told.map(({ uid }) => uid));
  const rest: FetchMessageObject[] = [];
  for (const uid of uids) if (!known.has(uid)) rest.push(...(await readAlone(client, uid, bounded)));
  const given = new Set<ItemRef>();
  const inOrder = [...told, ...rest].sort((a, b) => a.uid - b.uid);
  return inOrder.filter(isSince(since)).map((message) => {
    const named = refOf(access, message, uidValidity, namedFrom);
    // Two that nobody gave an id, alike in all else, may be two: a program's notices of one second, say.
    const ref = given.has(named) && isNameless(message) ? numberedRef(access, message, uidValidity) : named;
    given.add(ref);
    note(ref, { folder: path, uidValidity, uid: message.uid });
    return ref;
  });
}

/**
 * A message whose answer was not to be read among the others. Its number is enough when it is not to be read alone
 * either; one that is not there any more is on no list.
 */
async function readAlone(client: ImapFlow, uid: number, bounded: boolean): Promise<FetchMessageObject[]> {
  const alone = await fetchUids(client, [uid], bounded ? boundedIdentityQuery : identityQuery);
  return alone.some((message) => bounded || isWhole(message)) ? alone : fetchUids(client, [uid], { uid: true });
}

const isSince = (sinceSeconds: number | undefined) => (message: FetchMessageObject) =>
  sinceSeconds === undefined || (receivedAtMs(message) ?? Number.POSITIVE_INFINITY) >= sinceSeconds * 1000;

/** Whether asking again for less of each message may help. */
export const isTooLarge = (error: unknown): boolean => isScoutsError(imapFailure(error), "source_unreadable");
