import type { UserId } from "../../events/ids.ts";
import { due, ttl } from "../index-entries.ts";
import { ledgerKey } from "../keys.ts";
import type { Clock, NewId } from "../ports/clock.ts";
import { changeOf } from "../ports/row-change.ts";
import type { Condition, Key, Path, Table } from "../ports/table.ts";
import { type Month, monthOf, nextMonthMs } from "./month.ts";
import type { Feature } from "./tiers.ts";
import {
  isReservationOver,
  type OpenReservation,
  parseUsageRow,
  reservationLifeMs,
  type StoredUsage,
  type UsageRow,
  usageDueStepMs,
  usageFarthestMs,
  usagePath,
} from "./usage-row.ts";

/** Tokens wanted for one operation. */
export interface ReservationRequest {
  /** Item and stage: the same however often its message is delivered. At most 200 characters, no content. */
  readonly op: string;
  /** What it counts in besides the person: a scout, a project. */
  readonly within: string;
  /** An upper bound of what the operation takes. */
  readonly tokens: number;
  /** Tokens the operation's result row already counts. */
  readonly base: number;
  /** The reservation that row was last written under. */
  readonly writtenUnder?: string | undefined;
}

export interface Caps {
  /** Tokens a month, `undefined` unlimited. */
  readonly total: number | undefined;
  readonly within: ReadonlyMap<string, number>;
}

/** A request that was granted; whoever writes the operation's result writes the reservation's id with it. */
export interface Reservation extends Omit<ReservationRequest, "writtenUnder"> {
  readonly id: string;
  /** This grant: the last one of a reservation holds it. */
  readonly holder: string;
  /** Somebody had reserved for the operation already, and may still be at work on it. */
  readonly joined: boolean;
}

/** Tokens that are set aside, in the month they were set aside in. */
export interface Reserved {
  readonly month: Month;
  readonly granted: readonly Reservation[];
  /** Nothing is left for these until `untilMs`: the next month, or a moment when others' reservations are in the way. */
  readonly refused: readonly { readonly request: ReservationRequest; readonly untilMs: number }[];
}

/** How an operation ended for one of those who worked on it. */
export interface Spent {
  readonly request: Reservation;
  /** Absent when there is none: the operation has to wait. */
  readonly result?: Result;
}

/** What an operation's result says by now. */
export interface Result {
  readonly total: number;
  /** The reservation it was written under; absent while there is none. */
  readonly reservation?: string;
}

/** The wait when what is left is set aside for others who may not need all of it. */
const contendedMs = 30_000;
const maxTries = 4;
const usageLifeSeconds = 400 * 86_400;

/**
 * A person's tokens of one feature in a month. `committed` is what was used and what is set aside, and a reservation
 * succeeds only while it stays within the cap, so that workers side by side cannot overshoot:
 *
 *   A  reserve 3,000: committed ≤ cap − 3,000 ✓ ───── asks the model ───── settle: −3,000 + 812, `open.A` removed
 *   B      reserve 3,000: committed ≤ cap − 3,000 ✗ → waits
 *
 * Both are one conditional write for a whole batch. Deliveries of one item that overlap share its reservation, and it ends
 * once: by what the result says, whoever of them settles first, or for nothing by the one who made it, if nobody joined.
 * Otherwise it is left to its expiry. So nothing is counted twice, and no result that is written goes uncounted.
 */
export class TokenBudget {
  readonly #ledger: Table;
  readonly #feature: Feature;
  readonly #clock: Clock;
  readonly #newId: NewId;

  constructor(ledger: Table, feature: Feature, clock: Clock, newId: NewId) {
    this.#ledger = ledger;
    this.#feature = feature;
    this.#clock = clock;
    this.#newId = newId;
  }

  /** Sets tokens aside. An operation that is already open goes on under its reservation, which counts once. */
  async reserve(user: UserId, requests: readonly ReservationRequest[], caps: Caps): Promise<Reserved> {
    const nowMs = this.#clock();
    const month = monthOf(nowMs);
    const key = this.#key(user, month);
    let open: ReadonlyMap<string, OpenReservation> = new Map();
    let { fits, refused }: Allotment = { fits: requests, refused: [] };
    for (let tries = 1; fits.length > 0 && tries <= maxTries; tries += 1) {
      const granted = fits.map((request): Reservation => {
        const holder = this.#newId();
        const already = open.get(request.op);
        const { id, tokens, within } = { id: holder, ...request, ...already };
        return { op: request.op, within, tokens, base: baseOf(request, already), id, holder, joined: !!already };
      });
      if (await this.#set(user, key, granted, open, caps, nowMs)) return { month, granted, refused };
      const row = parseUsageRow(await this.#ledger.get(key));
      open = row.open;
      ({ fits, refused } = allot(row, requests, caps, nowMs));
    }
    const contended = fits.map((request) => ({ request, untilMs: nowMs + contendedMs }));
    return { month, granted: [], refused: [...refused, ...contended] };
  }

  /** Counts what operations took, and releases what was set aside for those that have to wait. */
  async settle(user: UserId, month: Month, spent: readonly Spent[]): Promise<void> {
    const key = this.#key(user, month);
    let counted = spent.flatMap((each) => countedOf(each, each.request));
    for (let tries = 1; counted.length > 0 && tries <= maxTries; tries += 1) {
      if (await this.#count(key, counted)) return;
      // Somebody has ended, or joined, one of them: the others are still ours to end.
      const { open } = parseUsageRow(await this.#ledger.get(key));
      counted = spent.flatMap((each) => countedOf(each, open.get(each.request.op)));
    }
  }

  /**
   * Ends reservations by what their results say: those of workers that died, or did not write the result themselves.
   * A result that was written under another reservation is settled by that one.
   *
   * @returns how many were ended
   */
  async settleFromResults(
    user: UserId,
    month: Month,
    which: (op: string, reservation: OpenReservation) => boolean,
    resultsOf: (ops: readonly string[]) => Promise<ReadonlyMap<string, Result>>,
  ): Promise<number> {
    const key = this.#key(user, month);
    const row = parseUsageRow(await this.#ledger.get(key));
    const ended = [...row.open].filter(([op, reservation]) => which(op, reservation));
    if (ended.length === 0) return 0;
    const results = await resultsOf(ended.map(([op]) => op));
    const counted = ended.map(([op, reservation]): Counted => {
      const { id, holder, within, tokens: reserved, base } = reservation;
      return { op, within, id, holder, reserved, base, took: tookUnder(reservation, results.get(op)) };
    });
    // Whoever settles first wins; what is left of a lost race is looked at again later.
    return (await this.#count(key, counted)) ? counted.length : 0;
  }

  /** Nothing of this month is due any more, unless somebody has reserved since. */
  async clearDue(user: UserId, month: Month, nowMs: number): Promise<void> {
    const row = await this.read(user, month);
    if ([...row.open.values()].some((each) => isReservationOver(each, nowMs))) return;
    const change = changeOf<StoredUsage>({ remove: due.attributes });
    await this.#ledger.update(this.#key(user, month), change, {
      any: [
        { path: ["dueAt"], is: "<=", value: nowMs },
        { path: ["dueAt"], is: ">", value: nowMs + usageFarthestMs },
      ],
    });
  }

  async read(user: UserId, month: Month): Promise<UsageRow> {
    return readUsage(this.#ledger, user, month, this.#feature);
  }

  async #set(
    user: UserId,
    key: Key,
    granted: readonly Reservation[],
    open: ReadonlyMap<string, OpenReservation>,
    caps: Caps,
    nowMs: number,
  ): Promise<boolean> {
    const fresh = granted.filter(({ op }) => !open.has(op));
    const expiresAt = nowMs + reservationLifeMs;
    const change = changeOf<StoredUsage>({
      set: {
        ...due.at("usage", user, Math.ceil(expiresAt / usageDueStepMs) * usageDueStepMs),
        ...ttl.after(nowMs, usageLifeSeconds),
      },
      add: { committed: sum(fresh) },
      at: {
        set: granted.map(({ op, joined: _, ...rest }) => [usagePath.open(op), { ...rest, expiresAt }] as const),
        add: [...byWithin(fresh)].map(([within, tokens]) => [usagePath.within(within), tokens] as const),
      },
    });
    const unchanged = granted.map(({ op }): Condition => {
      const seen = open.get(op);
      const path = usagePath.open(op);
      return seen ? { path: [...path, "id"], is: "=", value: seen.id } : { absent: path };
    });
    return (await this.#ledger.update(key, change, { all: [...unchanged, ...withinCaps(fresh, caps)] })) !== false;
  }

  async #count(key: Key, counted: readonly Counted[]): Promise<boolean> {
    const delta = ({ took, reserved }: Counted) => took - reserved;
    const byName = Map.groupBy(counted, ({ within }) => within);
    const change = changeOf<StoredUsage>({
      add: { committed: total(counted.map(delta)), used: total(counted.map(({ took }) => took)) },
      at: {
        add: [...byName].map(([within, own]) => [usagePath.within(within), total(own.map(delta))] as const),
        remove: counted.map(({ op }) => usagePath.open(op)),
      },
    });
    const conditions = counted.flatMap(({ op, id, base, holder }): Condition[] => {
      const path = usagePath.open(op);
      const same: Condition[] = [
        { path: [...path, "id"], is: "=", value: id },
        { path: [...path, "base"], is: "=", value: base },
      ];
      return holder === undefined ? same : [...same, { path: [...path, "holder"], is: "=", value: holder }];
    });
    return (await this.#ledger.update(key, change, { all: conditions })) !== false;
  }

  #key(user: UserId, month: Month): Key {
    return ledgerKey.usage(user, month, this.#feature);
  }
}

/** What a person has used and set aside of a feature in a month. */
export async function readUsage(ledger: Table, user: UserId, month: Month, feature: Feature): Promise<UsageRow> {
  return parseUsageRow(await ledger.get(ledgerKey.usage(user, month, feature)));
}

/**
 * What is counted by others already. Nothing was written under a reservation that the row does not name, so all that the
 * row counts by then was written under others. Whoever reserved may have read the row before its last write:
 *
 *   A  reserves (base 0) ─────── writes 390, ended ─ settles: +390
 *   B            reads: 0 ─────────────────────────────── reserves anew (base 0) ─ finds it ended, leaves it open
 *   C                                                             looks again, reads: 390 ─ joins B's (base 390)
 */
function baseOf({ base, writtenUnder }: ReservationRequest, open: OpenReservation | undefined): number {
  if (!open) return base;
  return writtenUnder === open.id ? open.base : Math.max(base, open.base);
}

/** One operation's part of a settling write. */
interface Counted {
  readonly op: string;
  readonly within: string;
  readonly reserved: number;
  readonly base: number;
  readonly took: number;
  readonly id: string;
  /** Set when the reservation may only be ended while nobody else has joined it. */
  readonly holder?: string;
}

type Seen = Pick<OpenReservation, "id" | "holder" | "base">;

function countedOf({ request, result }: Spent, open: Seen | undefined): Counted[] {
  const { op, within, tokens: reserved, id, holder, joined } = request;
  if (open?.id !== id) return [];
  const { base } = open;
  if (result) return [{ op, within, reserved, id, base, took: tookUnder(open, result) }];
  return joined || open.holder !== holder ? [] : [{ op, within, reserved, id, base, holder, took: 0 }];
}

/** A result that was written under another reservation is counted by that one. */
function tookUnder({ id, base }: Pick<OpenReservation, "id" | "base">, result: Result | undefined): number {
  return result?.reservation === id ? Math.max(0, result.total - base) : 0;
}

type Allotment = Pick<Reserved, "refused"> & { readonly fits: readonly ReservationRequest[] };

/** Which requests there is room for, in their order, and until when the others wait. */
function allot(row: UsageRow, requests: readonly ReservationRequest[], caps: Caps, nowMs: number): Allotment {
  let left = (caps.total ?? Number.POSITIVE_INFINITY) - row.committed;
  const leftWithin = new Map([...caps.within].map(([name, cap]) => [name, cap - (row.committedWithin.get(name) ?? 0)]));
  const fits: ReservationRequest[] = [];
  const refused: { request: ReservationRequest; untilMs: number }[] = [];
  for (const request of requests) {
    const own = leftWithin.get(request.within) ?? Number.POSITIVE_INFINITY;
    if (row.open.has(request.op)) fits.push(request);
    else if (request.tokens <= left && request.tokens <= own) {
      fits.push(request);
      left -= request.tokens;
      leftWithin.set(request.within, own - request.tokens);
    } else
      refused.push({ request, untilMs: mayFitSoon(row, request, caps) ? nowMs + contendedMs : nextMonthMs(nowMs) });
  }
  return { fits, refused };
}

/** Whether there would be room if everybody settled for nothing: then it is too early to give the month up. */
function mayFitSoon(row: UsageRow, request: ReservationRequest, caps: Caps): boolean {
  const open = [...row.open.values()];
  const own = open.filter(({ within }) => within === request.within);
  const settled = row.committed - sum(open);
  const settledWithin = (row.committedWithin.get(request.within) ?? 0) - sum(own);
  const { total: cap = Number.POSITIVE_INFINITY } = caps;
  const capWithin = caps.within.get(request.within) ?? Number.POSITIVE_INFINITY;
  return settled + request.tokens <= cap && settledWithin + request.tokens <= capWithin;
}

function withinCaps(fresh: readonly ReservationRequest[], caps: Caps): Condition[] {
  const room = (path: Path, most: number): Condition => {
    const atMost: Condition = { path, is: "<=", value: most };
    return most >= 0 ? { any: [{ absent: path }, atMost] } : atMost;
  };
  const conditions: Condition[] = [];
  if (caps.total !== undefined && fresh.length > 0) conditions.push(room(usagePath.committed, caps.total - sum(fresh)));
  for (const [within, tokens] of byWithin(fresh)) {
    const cap = caps.within.get(within);
    if (cap !== undefined) conditions.push(room(usagePath.within(within), cap - tokens));
  }
  return conditions;
}

function byWithin(requests: readonly ReservationRequest[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { within, tokens } of requests) totals.set(within, (totals.get(within) ?? 0) + tokens);
  return totals;
}

function sum(all: readonly { readonly tokens: number }[]): number {
  return total(all.map(({ tokens }) => tokens));
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((before, each) => before + each, 0);
}
