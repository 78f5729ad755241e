import { userId } from "../../../events/ids.ts";
import { lookUp, type ResultBook } from "../../billing/result-book.ts";
import { features } from "../../billing/tiers.ts";
import { TokenBudget } from "../../billing/token-budget.ts";
import { isReservationOver, type OpenReservation, usageFarthestMs } from "../../billing/usage-row.ts";
import { splitUsageKey } from "../../keys.ts";
import type { Clock, NewId } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Item, Table } from "../../ports/table.ts";
import { tellDamage } from "../../stored-row.ts";
import { isAhead } from "../../until.ts";
import { dueKeys } from "../sync/due-keys.ts";

export interface ReservationPorts {
  readonly ledger: Table;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/**
 * Ends reservations that are past their time, those of workers that died: by the operation's row when it has a result
 * written under them, else for nothing. Features without a book are left alone. Each reservation moves its person's entry of the
 * index on, so that the entry of a busy person never comes due: all entries are looked at, the people of a page side by side; one person's keep no other's waiting.
 *
 * @returns how many were ended
 * @throws what kept the first of those from it that were not: the run has failed all the same, and is made again
 */
export async function settleReservations(ports: ReservationPorts, books: readonly ResultBook[]): Promise<number> {
  const nowMs = ports.clock();
  const failures: unknown[] = [];
  let ended = 0;
  const settleOne = async (entry: Item) => {
    try {
      const count = await settleEntry(ports, entry, books, nowMs);
      ended += count;
    } catch (error) {
      failures.push(error);
    }
  };
  for await (const entries of dueKeys(ports.ledger, "usage", nowMs, usageFarthestMs)) {
    await Promise.all(entries.map(settleOne));
  }
  if (failures.length > 0) throw failures[0];
  return ended;
}

async function settleEntry(
  { ledger, clock, newId, log }: ReservationPorts,
  entry: Item,
  books: readonly ResultBook[],
  nowMs: number,
): Promise<number> {
  const { userId: user, month, feature } = splitUsageKey(entry);
  const named = features.find((each) => each === feature);
  const own = books.filter((book) => book.feature === named);
  if (!named || own.length === 0) return 0;
  const budget = new TokenBudget(ledger, named, clock, newId);
  const isOver = (_: string, reservation: OpenReservation) => isReservationOver(reservation, nowMs);
  try {
    const of = userId.parse(user);
    const ended = await budget.settleFromResults(of, month, isOver, (ops) => lookUp(own, of, ops));
    if (!isAhead(Number(entry["dueAt"]), nowMs, usageFarthestMs)) await budget.clearDue(of, month, nowMs);
    return ended;
  } catch (error) {
    tellDamage(error, log, "reservations");
    return 0;
  }
}
