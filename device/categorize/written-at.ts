import type { ProposalMetadata } from "../../events/proposals/metadata.ts";
import { localTimeAt } from "../work/dates/zone.ts";

/** How long mail is on its way at most: servers try for five days (RFC 5321 §4.5.4.1), and some of them longer. */
const longestWayMs = 7 * 24 * 3_600_000;
/** Before it no mail went from one machine to another: a clock that was never set says 1970. */
const firstMailMs = Date.parse("1971-01-01T00:00:00Z");

/** What is known of when an item was written. */
export interface Dated {
  /** Null where its source told nothing of it. */
  readonly metadata: Pick<ProposalMetadata, "sentAt" | "sentOffsetMinutes" | "arrivedAt"> | null;
  /** When it was judged, in milliseconds since the epoch. */
  readonly triagedAt: number;
}

/**
 * When an item was written, in milliseconds since the epoch, however long ago: what its words count from, and how old it is.
 *
 * Its sender's word holds where it fits when a server of the reader's took it in; a clock that is wrong, or a date that is
 * made up, does not, and then that server's word holds. What no server has taken in lay in a file, and has its own date
 * alone. Nothing was written after it arrived, nor after it was judged.
 *
 * The database works out the same of its rows, to order them (device/store/migrations/0020-written-at.sql).
 */
export function writtenAt({ metadata, triagedAt }: Dated): number {
  const { sentAt, arrivedAt } = metadata ?? {};
  const hasArrived = arrivedAt !== undefined && arrivedAt >= firstMailMs && arrivedAt <= triagedAt;
  const latest = hasArrived ? arrivedAt : triagedAt;
  if (sentAt === undefined || sentAt > latest || sentAt < firstMailMs) return latest;
  return hasArrived && latest - sentAt > longestWayMs ? latest : sentAt;
}

/**
 * How far the clock that an item's times are of is ahead of UTC, in minutes: its writer's, as its date says. Undefined where that is
 * not known, or not believed, and where it shows the same as the reader's: then they are of the reader's zone, and go with it
 * when its clocks are changed.
 *
 * @param zone the reader's, an IANA name
 */
export function writersOffset(item: Dated, zone: string): number | undefined {
  const { sentAt, sentOffsetMinutes } = item.metadata ?? {};
  if (sentAt === undefined || sentOffsetMinutes === undefined || writtenAt(item) !== sentAt) return undefined;
  return localTimeAt(sentAt + sentOffsetMinutes * 60_000, "UTC") === localTimeAt(sentAt, zone)
    ? undefined
    : sentOffsetMinutes;
}
