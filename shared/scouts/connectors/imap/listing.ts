import type { FetchMessageObject, ImapFlow } from "imapflow";
import { isScoutsError } from "../../../../events/errors.ts";
import type { ItemRef } from "../../../../events/ids.ts";
import type { Listing, Position } from "../connector.ts";
import { imapFailure } from "./failures.ts";
import { fetchUids, type OpenFolder, openFolder, searchUids } from "./folders.ts";
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
import { type ImapPage, readCursor, readPage, writeCursor, writePage } from "./position.ts";
import { folderTag } from "./settings.ts";

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
  const folders: Record<string, { validity: string; next: number }> = {};
  for (const path of access.folders) folders[folderTag(access, path)] = placeOf(await openFolder(client, path));
  return writeCursor({ completeAt: Math.floor(nowMs / 1000), namedFrom: 0, folders });
}

const placeOf = ({ uidValidity, uidNext }: OpenFolder) => ({ validity: String(uidValidity), next: uidNext });

/**
 * One page of what is new: folder by folder, by growing UIDs. Where the server has numbered a folder anew, or goes back
 * behind a number it had promised, what has arrived since shortly before the folder was last complete is listed again,
 * under the refs it had, and the gap is told.
 */
export async function listNew(task: ListingTask, position: Position): Promise<Listing> {
  const { client, access, nowMs } = task;
  const cursor = readCursor(position.cursor);
  const page: ImapPage =
    position.page === undefined ? { startedAt: Math.floor(nowMs / 1000), done: {} } : readPage(position.page);
  // What was listed before keeps its refs, however far the server's clock is ahead.
  const namedFrom = cursor.namedFrom ?? page.startedAt + marginSeconds;
  const done = { ...page.done };
  let gapFrom = page.gapFrom;
  for (const path of access.folders) {
    const tag = folderTag(access, path);
    if (done[tag]) continue;
    const folder = await openFolder(client, path);
    const known = cursor.folders[tag];
    const begun = page.now?.tag === tag && page.now.validity === String(folder.uidValidity) ? page.now : undefined;
    // A folder that was chosen since: from now on.
    if (!known && !begun) {
      done[tag] = placeOf(folder);
      continue;
    }
    const now = begun ?? stretch(tag, folder, known ?? placeOf(folder), cursor.completeAt, page.startedAt);
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
      return { refs, nextPage: writePage(next) };
    }
    if (isLast) return finished(page.startedAt, namedFrom, done, gapFrom, refs);
  }
  return finished(page.startedAt, namedFrom, done, gapFrom, []);
}

function finished(
  startedAt: number,
  namedFrom: number,
  done: ImapPage["done"],
  gapFrom: number | undefined,
  refs: ItemRef[],
): Listing {
  return {
    refs,
    cursor: writeCursor({ completeAt: startedAt, namedFrom, folders: done }),
    ...(gapFrom === undefined ? {} : { gap: { fromMs: gapFrom * 1000, toMs: startedAt * 1000 } }),
  };
}

function stretch(
  tag: string,
  folder: OpenFolder,
  known: { validity: string; next: number },
  completeAt: number,
  startedAt: number,
): NonNullable<ImapPage["now"]> {
  const validity = String(folder.uidValidity);
  const to = folder.uidNext;
  if (known.validity === validity && to >= known.next) return { tag, validity, from: known.next, to };
  const since = Math.max(0, completeAt - marginSeconds, startedAt - windowSeconds);
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
  return [...told, ...rest].filter(isSince(since)).map((message) => {
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
