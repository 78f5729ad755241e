import { ledgerKey } from "../../keys.ts";
import type { Clock, Random } from "../../ports/clock.ts";
import { changeOf, type RowChange } from "../../ports/row-change.ts";
import type { Condition, Item, Key, Table } from "../../ports/table.ts";
import { boundedWaitMs, longestWaitMs } from "../../requests/wait.ts";
import type { ScoutAtSource, SourceLimits } from "../connectors/connector.ts";
import { type Pace, paceOf } from "./pace.ts";

/** Whether the source may be asked now; else when it is this caller's turn. */
export type QuotaTurn = { readonly granted: true } | { readonly granted: false; readonly untilMs: number };

/** What the row that holds a bucket knows of it. Times are in milliseconds since the epoch. */
interface Bucket {
  /** When it will be full again. */
  readonly fullAt: number;
  /** Where the line of those who wait ends. */
  readonly lineAt: number;
  /** How often in a row the source has refused. */
  readonly strikes: number;
}

const granted: QuotaTurn = { granted: true };
const maxStrikes = 6;

/**
 * What may still be asked of a mailbox this minute, kept in its row: a token bucket as one number, the time at which
 * the bucket will be full again (the "theoretical arrival time" of the generic cell rate algorithm, ITU-T I.371). A
 * take moves that time on by its cost, in one conditional write that many workers may make side by side:
 *
 *   now ──────────── fullAt ──────────── now + burst      may be taken: burst − (fullAt − now)
 *
 * Whoever finds the bucket empty is given a place in the line, so that a thousand waiting batches come back one after
 * the other and not all at once.
 */
export class SourceQuota {
  readonly #ledger: Table;
  readonly #clock: Clock;
  readonly #random: Random;
  /** Buckets as last seen by this process: tells which of two writes is likely to succeed, and decides nothing. */
  readonly #seen = new Map<string, number>();

  constructor(ledger: Table, clock: Clock, random: Random) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#random = random;
  }

  /**
   * Takes units for calls about to be made.
   *
   * @param urgent may use the small part that is kept for listing and for a person who waits
   */
  async take(
    scout: ScoutAtSource,
    limits: SourceLimits | undefined,
    units: number,
    urgent = false,
  ): Promise<QuotaTurn> {
    if (!limits) return granted;
    const pace = paceOf(limits.unitsPerMinute);
    const key = bucketKey(scout);
    const nowMs = this.#clock();
    const costMs = units * pace.msPerUnit;
    const roomMs = pace.burstMs + (urgent ? pace.reserveMs : 0);
    const idle = () =>
      this.#write(key, { set: { fullAt: nowMs + costMs }, remove: ["strikes"] }, isFree(nowMs, limits));
    const busy = () => this.#write(key, { add: { fullAt: costMs } }, hasRoom(nowMs, nowMs + roomMs - costMs));
    const inOrder = (this.#seen.get(key.pk + key.sk) ?? 0) > nowMs ? [busy, idle] : [idle, busy];
    for (const attempt of inOrder) if (await attempt()) return granted;
    return this.#lineUp(key, nowMs, costMs, pace);
  }

  /**
   * The source itself was rate limiting: nobody asks it again before that. As long as it says, else exponential with
   * jitter: 1–2 s, 2–4 s, … up to two minutes.
   *
   * @returns when to ask again
   */
  async refused(scout: ScoutAtSource, limits: SourceLimits | undefined, retryAfterMs?: number): Promise<number> {
    const nowMs = this.#clock();
    const jitter = 1 + this.#random();
    if (!limits) return nowMs + (retryAfterMs ?? 1000 * jitter);
    const key = bucketKey(scout);
    const pace = paceOf(limits.unitsPerMinute);
    const { burstMs, reserveMs } = pace;
    const asked = retryAfterMs === undefined ? undefined : boundedWaitMs(retryAfterMs);
    const counted = await this.#ledger.update(key, changeOf<Bucket>({ add: { strikes: 1 } }), { exists: ["pk"] });
    const strikes = Math.min(counted ? Number(counted["strikes"]) : 1, maxStrikes);
    const untilMs = Math.ceil(nowMs + (asked ?? 1000 * 2 ** (strikes - 1) * jitter));
    const empty = untilMs + burstMs + reserveMs;
    await this.#write(key, { set: { fullAt: empty } }, isFree(empty, limits));
    return untilMs;
  }

  async #lineUp(key: Key, nowMs: number, costMs: number, { burstMs }: Pace): Promise<QuotaTurn> {
    const row = await this.#ledger.get(key);
    // The mailbox was given up meanwhile: whoever reads it now finds out by itself.
    if (!row) return granted;
    const lineAt = numberOf(row, "lineAt");
    // The line begins when half of the bucket is there again: who comes back must not miss by what others took between.
    const startMs = Math.min(Math.max(nowMs, numberOf(row, "fullAt") - burstMs), nowMs + longestWaitMs) + burstMs / 2;
    // A place hours ahead was given out by another clock: the line begins anew, and who comes too early lines up again.
    const turnMs = Math.max(startMs, lineAt > nowMs + longestWaitMs ? 0 : lineAt) + costMs;
    const unchanged: Condition = lineAt === 0 ? { absent: ["lineAt"] } : { path: ["lineAt"], is: "=", value: lineAt };
    const first = await this.#ledger.update(key, changeOf<Bucket>({ set: { lineAt: turnMs } }), {
      all: [{ exists: ["pk"] }, unchanged],
    });
    if (first) return { granted: false, untilMs: Math.ceil(turnMs) };
    const moved = await this.#ledger.update(key, changeOf<Bucket>({ add: { lineAt: costMs } }), { exists: ["lineAt"] });
    const placeMs = moved ? Math.min(numberOf(moved, "lineAt"), nowMs + longestWaitMs) : 0;
    return { granted: false, untilMs: Math.ceil(Math.max(turnMs, placeMs)) };
  }

  async #write(key: Key, change: RowChange<Bucket>, when: Condition): Promise<boolean> {
    const row = await this.#ledger.update(key, changeOf(change), when);
    if (row) this.#seen.set(key.pk + key.sk, numberOf(row, "fullAt"));
    return row !== false;
  }
}

/** Share of the bucket that is free, 0 to 1, for the person to see. */
export function freeShare(bucket: Item | undefined, limits: SourceLimits, nowMs: number): number {
  const { burstMs } = paceOf(limits.unitsPerMinute);
  const takenMs = Math.max(0, (bucket ? numberOf(bucket, "fullAt") : 0) - nowMs);
  return Math.max(0, 1 - takenMs / burstMs);
}

/** The row that holds the bucket: the mailbox's, or the scout's own when its source knows no mailboxes. */
export function bucketKey({ userId, scoutId, address }: ScoutAtSource): Key {
  return address === undefined ? ledgerKey.scout(userId, scoutId) : ledgerKey.mailbox(address);
}

/** What is read for one message of a queue, one frame or one page of proposals, and more than any of them holds. */
const itemsOfOneTake = 64;

/**
 * One take may cost more than a bucket holds: so much later it may be full again by what was taken alone. The less a source
 * allows a minute, the longer.
 */
function costliestTakeMs({ costs }: SourceLimits, { msPerUnit }: Pace): number {
  const units = Math.max(itemsOfOneTake * costs.read, costs.list + costs.watch, costs.archive);
  return Math.min(Math.max(60_000, units * msPerUnit), longestWaitMs);
}

/** Idle, or left full so far ahead that only a clock that has stepped back since can have written it. */
function isFree(nowMs: number, limits: SourceLimits): Condition {
  const pace = paceOf(limits.unitsPerMinute);
  const fullAfter = (ms: number) => ({ path: ["fullAt"], is: ">", value: ms }) as const;
  const takenAtMost = nowMs + pace.burstMs + pace.reserveMs + costliestTakeMs(limits, pace);
  return {
    all: [
      { exists: ["pk"] },
      {
        any: [
          { absent: ["fullAt"] },
          { path: ["fullAt"], is: "<=", value: nowMs },
          { all: [{ absent: ["strikes"] }, fullAfter(takenAtMost)] },
          fullAfter(takenAtMost + longestWaitMs),
        ],
      },
    ],
  };
}

function hasRoom(nowMs: number, latestMs: number): Condition {
  return {
    all: [
      { path: ["fullAt"], is: ">", value: nowMs },
      { path: ["fullAt"], is: "<=", value: latestMs },
    ],
  };
}

function numberOf(row: Item, attribute: string): number {
  const value = row[attribute];
  return typeof value === "number" ? value : 0;
}
