import { expiryMs } from "../scouts/items/item-row.ts";

/** Where a page of proposals begins, and what has to be begun with next time for the sake of the pages before it. */
export interface PullCursor {
  /** After this entry, or the entries of this time. */
  readonly after: string;
  /** What lies behind this time belongs to pages before. */
  readonly until?: string;
  /** Where the first item lies that had to wait, or where those begin that were read before: digits of a time. */
  readonly held?: string;
  /** What comes last of this run. */
  readonly older?: Older;
}

/** What has expired by now lies there, if anything does. */
interface Older {
  readonly from: string;
  readonly until: string;
}

/** How far a page came. */
export interface PageRead {
  /** The entry it ended with when there may be more. */
  readonly last?: string | undefined;
  /** The last item that it read, and the first that had to wait. */
  readonly lastRead?: string | undefined;
  readonly waits?: string | undefined;
}

const zero = digitsOf(0);
const form = /^(?:(?<from>\d{15})?-(?<until>\d{15})~)?(?:(?<held>\d{15})~)?(?<after>.+)$/;
/**
 * Index entries arrive late and clocks differ, so a device begins again this much before the newest entry it has seen;
 * what it already has is left out by its acks.
 */
const overlapMs = 2 * 60_000;

/**
 * Reads what a device hands back: the `next` of a page, or a `resume`. An entry has `#` after the digits of its time, so that
 * nothing else looks like a place that is held.
 *
 * A run that begins before what has expired by now reads what is open first: somebody who was away for months waits for
 * nothing that is over.
 *
 *   from ──────── expired ──────── until ──── open ──── now
 *                 read second                 read first
 */
export function readPullCursor(text: string | undefined, nowMs: number): PullCursor {
  const { from, until, held, after = zero } = form.exec(text ?? zero)?.groups ?? {};
  const told = held === undefined ? {} : { held };
  if (until !== undefined) return { after, ...told, ...(from === undefined ? { until } : { older: { from, until } }) };
  const expired = digitsOf(nowMs - expiryMs);
  const begins = held === undefined && !after.includes("#");
  if (!begins || after >= expired) return { after, ...told };
  return { after: expired, older: { from: after, until: expired } };
}

/** What is read when that part of a run has come to its end. */
export function olderPart(cursor: PullCursor, read: PageRead, nowMs: number): PullCursor | undefined {
  if (!cursor.older || read.last !== undefined) return undefined;
  const { from: after, until } = cursor.older;
  const held = heldAfter(cursor, read, nowMs) ?? begunBefore(read.lastRead, nowMs);
  return { after, until, ...(held === undefined ? {} : { held }) };
}

/**
 * What a device is to hand back after a page. It keeps the `resume` of the last page only, so each page hands on what the
 * first said; in the middle of a run all that is still to be read lies behind it.
 */
export function handedBack(cursor: PullCursor, read: PageRead, nowMs: number): { next?: string; resume?: string } {
  const held = heldAfter(cursor, read, nowMs);
  const readTo = begunBefore(read.last ?? read.lastRead, nowMs);
  const isEnd = read.last === undefined;
  const resume = cursor.older?.from ?? (isEnd ? (held ?? readTo) : earliest(held, readTo));
  return {
    ...(read.last === undefined ? {} : { next: writePullCursor({ ...cursor, after: read.last, held }) }),
    ...(resume === undefined ? {} : { resume }),
  };
}

/** The same where the next page is of the older part. */
export function handedOn({ older }: PullCursor, next: PullCursor): { next: string; resume: string } {
  return { next: writePullCursor(next), resume: older?.from ?? zero };
}

function writePullCursor({
  after,
  until,
  held,
  older,
}: Omit<PullCursor, "held"> & { held?: string | undefined }): string {
  const part = older ? `${older.from}-${older.until}~` : until === undefined ? "" : `-${until}~`;
  return `${part}${held === undefined ? "" : `${held}~`}${after}`;
}

function heldAfter({ held }: PullCursor, { waits }: PageRead, nowMs: number): string | undefined {
  return earliest(held, begunBefore(waits, nowMs));
}

function earliest(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

/**
 * Behind an entry of a clock that has stepped back since, what is opened meanwhile would never be looked for.
 *
 * @returns undefined without an entry
 */
function begunBefore(openAt: string | undefined, nowMs: number): string | undefined {
  if (openAt === undefined) return undefined;
  const atMs = Number(openAt.slice(0, openAt.indexOf("#")));
  return digitsOf(Math.min(atMs, nowMs) - overlapMs);
}

/** As entries of the index begin. */
function digitsOf(ms: number): string {
  return String(Math.max(0, ms)).padStart(15, "0");
}
