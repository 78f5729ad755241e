import * as z from "zod";
import type { DueEntry, TtlEntry } from "../index-entries.ts";
import type { Item, Path } from "../ports/table.ts";
import { storedRow } from "../stored-row.ts";
import { isAhead } from "../until.ts";

/** A reservation outlives the longest worker (two minutes); one that is older belongs to a worker that died. */
export const reservationLifeMs = 10 * 60_000;
/** The index that leads to expired reservations is touched at most once an hour. */
export const usageDueStepMs = 3_600_000;
/** An entry of that index lies no further ahead. */
export const usageFarthestMs = usageDueStepMs + 2 * reservationLifeMs;

/** Whether a reservation's worker has died: its time is over, or was never meant. */
export const isReservationOver = ({ expiresAt }: Pick<OpenReservation, "expiresAt">, nowMs: number): boolean =>
  !isAhead(expiresAt, nowMs, reservationLifeMs);

/** Tokens set aside for one operation until it is known what it took. */
const reservation = z.object({
  /** Whose total they count in besides the person's: a scout, a project. */
  within: z.string(),
  tokens: z.number(),
  /** Tokens the operation's result counted already when they were set aside. */
  base: z.number(),
  /** Tells this reservation from an earlier or later one of the same operation. */
  id: z.string(),
  /** Whoever reserved last under it; while somebody may be at work, only a result ends it. */
  holder: z.string(),
  expiresAt: z.number(),
});
export type OpenReservation = z.infer<typeof reservation>;

export interface UsageRow {
  /** Used and set aside. */
  readonly committed: number;
  readonly used: number;
  /** Used and set aside, by what it counts in. */
  readonly committedWithin: ReadonlyMap<string, number>;
  readonly open: ReadonlyMap<string, OpenReservation>;
  readonly dueAt?: number;
}

/** A row's own attributes with what only the table reads. */
export type StoredUsage = { readonly committed: number; readonly used: number } & DueEntry & TtlEntry;

/**
 * Reservations and totals are attributes of the row itself and not of maps in it: a path into a map can only be set
 * once the map exists, and DynamoDB's ADD takes top-level attributes only.
 */
const openPrefix = "open#";
const withinPrefix = "in#";

export const usagePath = {
  committed: ["committed"] as Path,
  used: ["used"] as Path,
  open: (op: string): Path => [openPrefix + op],
  within: (within: string): Path => [withinPrefix + within],
};

/**
 * What somebody has used of a feature in a month. Without a row nothing was used yet.
 *
 * @throws row_damaged
 */
export function parseUsageRow(item: Item | undefined): UsageRow {
  return storedRow(item, readUsageRow);
}

function readUsageRow(item: Item | undefined): UsageRow {
  const row: Readonly<Record<string, unknown>> = item ?? {};
  const named = (prefix: string) =>
    Object.entries(row).flatMap(([name, value]): [string, unknown][] =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    );
  return {
    committed: count(row["committed"]),
    used: count(row["used"]),
    committedWithin: new Map(named(withinPrefix).map(([within, value]) => [within, count(value)])),
    open: new Map(named(openPrefix).map(([op, value]) => [op, reservation.parse(value)])),
    ...(typeof row["dueAt"] === "number" ? { dueAt: row["dueAt"] } : {}),
  };
}

function count(value: unknown): number {
  return z.number().default(0).parse(value);
}
