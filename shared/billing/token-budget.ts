import type { UserId } from "../../events/ids.ts";
import { due, ttl } from "../index-entries.ts";
import { ledgerKey } from "../keys.ts";
import type { Clock, NewId } from "../ports/clock.ts";
import { changeOf } from "../ports/row-change.ts";
import type { Condition, Key, Table } from "../ports/table.ts";
import { type Allotment, allot, byWithin, contendedMs, sum, total, withinCaps } from "./allotment.ts";
import { type Month, monthOf } from "./month.ts";
import type { Caps, Reservation, ReservationRequest, Reserved, Result, Spent } from "./reservation.ts";
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

const maxTries = 4;
/**
 * Reservations that one write ends: well below what an expression of DynamoDB holds, 4 KB and 300 operators
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html). Workers that died may have left many more.
 */
const countedAtOnce = 20;
const usageLifeSeconds = 400 * 86_400;

/**
 * A person's tokens of one feature in a month. `committed` is what was used and what is set aside, and a reservation
 * succeeds only while it stays within the cap, so that workers side by side cannot overshoot:
 *
 *   A  reserve 3,000: committed ≤ cap − 3,000 ✓ ───── asks the model ───── settle: −3,000 + 812, `open.A` removed
 *   B      reserve 3,000: committed ≤ cap − 3,000 ✗ → waits
 *
 * Both are one conditional write for a whole batch. Deliveries of one item that overlap share its reservation, and it ends
 * once: by what the result says, whoever of them settles first, or for what it was billed in vain by the one who made it, if
 * nobody joined.
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
    let done = 0;
    for (let start = 0; start < counted.length; start += countedAtOnce) {
      const some = counted.slice(start, start + countedAtOnce);
      // Whoever settles first wins; what is left of a lost race is looked at again later.
      if (await this.#count(key, some)) done += some.length;
    }
    return done;
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

function countedOf({ request, result, billed = 0 }: Spent, open: Seen | undefined): Counted[] {
  const { op, within, tokens: reserved, id, holder, joined } = request;
  if (open?.id !== id) return [];
  const { base } = open;
  if (result) return [{ op, within, reserved, id, base, took: tookUnder(open, result) }];
  return joined || open.holder !== holder ? [] : [{ op, within, reserved, id, base, holder, took: billed }];
}

/** A result that was written under another reservation is counted by that one. */
function tookUnder({ id, base }: Pick<OpenReservation, "id" | "base">, result: Result | undefined): number {
  return result?.reservation === id ? Math.max(0, result.total - base) : 0;
}
