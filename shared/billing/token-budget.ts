import { ulid } from "ulidx";
import type { UserId } from "../../events/ids.ts";
import { ledgerKey, shardOf } from "../keys.ts";
import type { Clock } from "../ports/clock.ts";
import type { Change, Condition, Key, Path, Table } from "../ports/table.ts";
import { type Month, monthOf, nextMonthMs } from "./month.ts";
import type { Feature } from "./tiers.ts";
import { parseUsageRow, type Reservation, type UsageRow, usagePath } from "./usage-row.ts";

/** Tokens wanted for one operation. */
export interface Wish {
  /** Item and stage: the same however often its message is delivered. At most 200 characters, no content. */
  readonly op: string;
  /** What it counts in besides the person: a scout, a project. */
  readonly within: string;
  /** An upper bound of what the operation takes. */
  readonly tokens: number;
  /** Tokens the operation's result row already counts. */
  readonly base: number;
}

export interface Caps {
  /** Tokens a month, `undefined` unlimited. */
  readonly total: number | undefined;
  readonly within: ReadonlyMap<string, number>;
}

/** A wish that was granted; whoever writes the operation's result writes the reservation's id with it. */
export interface Granted extends Wish {
  readonly id: string;
}

/** Tokens that are set aside, in the month they were set aside in. */
export interface Reserved {
  readonly month: Month;
  readonly granted: readonly Granted[];
  /** Nothing is left for these until `untilMs`: the next month, or a moment when others' reservations are in the way. */
  readonly refused: readonly { readonly wish: Wish; readonly untilMs: number }[];
}

/** What one operation took. */
export interface Spent {
  readonly wish: Granted;
  /** What its result counts now. */
  readonly total: number;
  /** The part of it that this worker wrote. */
  readonly own: number;
}

/** What an operation's result says by now. */
export interface Result {
  readonly total: number;
  /** The reservation it was written under; absent while there is none. */
  readonly reservation?: string;
}

/** A reservation outlives the longest worker (two minutes); one that is older belongs to a worker that died. */
const lifeMs = 10 * 60_000;
/** The wait when what is left is set aside for others who may not need all of it. */
const patienceMs = 30_000;
/** The index that leads to expired reservations is touched at most once an hour. */
const dueStepMs = 3_600_000;
const maxTries = 4;
const usageLifeSeconds = 400 * 86_400;

/**
 * A person's tokens of one feature in a month. `committed` is what was used and what is set aside, and a reservation
 * succeeds only while it stays within the cap, so that workers side by side cannot overshoot:
 *
 *   A  reserve 3,000: committed ≤ cap − 3,000 ✓ ───── asks the model ───── settle: −3,000 + 812, `open.A` removed
 *   B      reserve 3,000: committed ≤ cap − 3,000 ✗ → waits
 *
 * Both are one conditional write for a whole batch. Settling needs `open.{op}`, so it counts once, whoever repeats it.
 */
export class TokenBudget {
  readonly #ledger: Table;
  readonly #feature: Feature;
  readonly #clock: Clock;
  readonly #newId: () => string;

  constructor(ledger: Table, feature: Feature, clock: Clock, newId: () => string = ulid) {
    this.#ledger = ledger;
    this.#feature = feature;
    this.#clock = clock;
    this.#newId = newId;
  }

  /** Sets tokens aside. An operation that is already open goes on under its reservation, which counts once. */
  async reserve(user: UserId, wishes: readonly Wish[], caps: Caps): Promise<Reserved> {
    const nowMs = this.#clock();
    const month = monthOf(nowMs);
    const key = this.#key(user, month);
    let open: ReadonlyMap<string, Reservation> = new Map();
    let { fits, refused }: Allotment = { fits: wishes, refused: [] };
    for (let tries = 1; fits.length > 0 && tries <= maxTries; tries += 1) {
      const granted = fits.map((wish): Granted => {
        const { id, tokens, base, within } = { id: this.#newId(), ...wish, ...open.get(wish.op) };
        return { op: wish.op, within, tokens, base, id };
      });
      if (await this.#set(user, key, granted, open, caps, nowMs)) return { month, granted, refused };
      const row = parseUsageRow(await this.#ledger.get(key));
      open = row.open;
      ({ fits, refused } = allot(row, wishes, caps, nowMs));
    }
    const contended = fits.map((wish) => ({ wish, untilMs: nowMs + patienceMs }));
    return { month, granted: [], refused: [...refused, ...contended] };
  }

  /**
   * Counts what operations took, each by the one worker that wrote its result, or releases those that have to wait. One
   * whose reservation was ended meanwhile, by a worker that gave up on the same item, adds what this one wrote.
   */
  async settle(user: UserId, month: Month, spent: readonly Spent[]): Promise<void> {
    if (spent.length === 0) return;
    const key = this.#key(user, month);
    const asReserved = new Map(spent.map(({ wish }) => [wish.op, wish]));
    if (await this.#count(key, countedOf(spent, asReserved))) return;
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const counted = countedOf(spent, parseUsageRow(await this.#ledger.get(key)).open);
      if (counted.length === 0 || (await this.#count(key, counted))) return;
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
    which: (op: string, reservation: Reservation) => boolean,
    resultsOf: (ops: readonly string[]) => Promise<ReadonlyMap<string, Result>>,
  ): Promise<number> {
    const key = this.#key(user, month);
    const row = parseUsageRow(await this.#ledger.get(key));
    const ended = [...row.open].filter(([op, reservation]) => which(op, reservation));
    if (ended.length === 0) return 0;
    const results = await resultsOf(ended.map(([op]) => op));
    const counted = ended.map(([op, reservation]): Counted => {
      const result = results.get(op);
      const took = result?.reservation === reservation.id ? Math.max(0, result.total - reservation.base) : 0;
      return { op, within: reservation.within, tokens: took, open: reservation, ends: true };
    });
    // Whoever settles first wins; what is left of a lost race is looked at again later.
    return (await this.#count(key, counted)) ? counted.length : 0;
  }

  /** Nothing of this month is due any more, unless somebody has reserved since. */
  async leaveDue(user: UserId, month: Month, nowMs: number): Promise<void> {
    const row = await this.read(user, month);
    if ([...row.open.values()].some(({ expiresAt }) => expiresAt <= nowMs)) return;
    const change: Change = { remove: [["dueShard"], ["dueAt"]] };
    await this.#ledger.update(this.#key(user, month), change, { path: ["dueAt"], is: "<=", value: nowMs });
  }

  async read(user: UserId, month: Month): Promise<UsageRow> {
    return parseUsageRow(await this.#ledger.get(this.#key(user, month)));
  }

  async #set(
    user: UserId,
    key: Key,
    granted: readonly Granted[],
    open: ReadonlyMap<string, Reservation>,
    caps: Caps,
    nowMs: number,
  ): Promise<boolean> {
    const fresh = granted.filter(({ op }) => !open.has(op));
    const expiresAt = nowMs + lifeMs;
    const change: Change = {
      set: [
        ...granted.map(({ op, ...rest }) => [usagePath.open(op), { ...rest, expiresAt }] as const),
        [["dueShard"], shardOf("usage", user)],
        [["dueAt"], Math.ceil(expiresAt / dueStepMs) * dueStepMs],
        [["ttl"], Math.floor(nowMs / 1000) + usageLifeSeconds],
      ],
      add: [
        [usagePath.committed, sum(fresh)],
        ...[...byWithin(fresh)].map(([within, tokens]) => [usagePath.within(within), tokens] as const),
      ],
    };
    const unchanged = granted.map(({ op }): Condition => {
      const seen = open.get(op);
      const path = usagePath.open(op);
      return seen ? { path: [...path, "id"], is: "=", value: seen.id } : { absent: path };
    });
    return (await this.#ledger.update(key, change, { all: [...unchanged, ...withinCaps(fresh, caps)] })) !== false;
  }

  async #count(key: Key, counted: readonly Counted[]): Promise<boolean> {
    const delta = ({ tokens, open, ends }: Counted) => tokens - (ends && open ? open.tokens : 0);
    const byName = Map.groupBy(counted, ({ within }) => within);
    const change: Change = {
      add: [
        [usagePath.committed, total(counted.map(delta))],
        [usagePath.used, total(counted.map(({ tokens }) => tokens))],
        ...[...byName].map(([within, own]) => [usagePath.within(within), total(own.map(delta))] as const),
      ],
      remove: counted.flatMap(({ op, ends }) => (ends ? [usagePath.open(op)] : [])),
    };
    const conditions = counted.flatMap(({ op, open }): Condition[] => {
      const path = usagePath.open(op);
      if (!open) return [{ absent: path }];
      const same: Condition = { path: [...path, "id"], is: "=", value: open.id };
      // Who works under the reservation prolongs it: then it is not for others to end.
      if (!("expiresAt" in open)) return [same];
      return [same, { path: [...path, "expiresAt"], is: "=", value: open.expiresAt }];
    });
    return (await this.#ledger.update(key, change, { all: conditions })) !== false;
  }

  #key(user: UserId, month: Month): Key {
    return ledgerKey.usage(user, month, this.#feature);
  }
}

/** One operation's part of a settling write. */
interface Counted {
  readonly op: string;
  readonly within: string;
  readonly tokens: number;
  /** The reservation that must still be open as it was seen; none: the operation must not be open. */
  readonly open: Reservation | Granted | undefined;
  /** Whether that reservation is ended; else it belongs to somebody else and stays. */
  readonly ends: boolean;
}

function countedOf(spent: readonly Spent[], open: ReadonlyMap<string, Reservation | Granted>): Counted[] {
  return spent.flatMap(({ wish: { op, within, id }, total: now, own }): Counted[] => {
    const seen = open.get(op);
    if (seen?.id === id) return [{ op, within, tokens: Math.max(0, now - seen.base), open: seen, ends: true }];
    return own > 0 ? [{ op, within, tokens: own, open: seen, ends: false }] : [];
  });
}

type Allotment = Pick<Reserved, "refused"> & { readonly fits: readonly Wish[] };

/** Which wishes there is room for, in their order, and until when the others wait. */
function allot(row: UsageRow, wishes: readonly Wish[], caps: Caps, nowMs: number): Allotment {
  let left = (caps.total ?? Number.POSITIVE_INFINITY) - row.committed;
  const leftWithin = new Map([...caps.within].map(([name, cap]) => [name, cap - (row.committedWithin.get(name) ?? 0)]));
  const fits: Wish[] = [];
  const refused: { wish: Wish; untilMs: number }[] = [];
  for (const wish of wishes) {
    const own = leftWithin.get(wish.within) ?? Number.POSITIVE_INFINITY;
    if (row.open.has(wish.op)) fits.push(wish);
    else if (wish.tokens <= left && wish.tokens <= own) {
      fits.push(wish);
      left -= wish.tokens;
      leftWithin.set(wish.within, own - wish.tokens);
    } else refused.push({ wish, untilMs: mayFitSoon(row, wish, caps) ? nowMs + patienceMs : nextMonthMs(nowMs) });
  }
  return { fits, refused };
}

/** Whether there would be room if everybody settled for nothing: then it is too early to give the month up. */
function mayFitSoon(row: UsageRow, wish: Wish, caps: Caps): boolean {
  const open = [...row.open.values()];
  const own = open.filter(({ within }) => within === wish.within);
  const settled = row.committed - sum(open);
  const settledWithin = (row.committedWithin.get(wish.within) ?? 0) - sum(own);
  const { total: cap = Number.POSITIVE_INFINITY } = caps;
  const capWithin = caps.within.get(wish.within) ?? Number.POSITIVE_INFINITY;
  return settled + wish.tokens <= cap && settledWithin + wish.tokens <= capWithin;
}

function withinCaps(fresh: readonly Wish[], caps: Caps): Condition[] {
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

function byWithin(wishes: readonly Wish[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { within, tokens } of wishes) totals.set(within, (totals.get(within) ?? 0) + tokens);
  return totals;
}

function sum(all: readonly { readonly tokens: number }[]): number {
  return total(all.map(({ tokens }) => tokens));
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((before, each) => before + each, 0);
}
