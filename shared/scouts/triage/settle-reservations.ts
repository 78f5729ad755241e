import { type UserId, userId } from "../../../events/ids.ts";
import type { Month } from "../../billing/month.ts";
import { lookUp, type ResultBook } from "../../billing/result-book.ts";
import { features } from "../../billing/tiers.ts";
import { TokenBudget } from "../../billing/token-budget.ts";
import { isReservationOver, type OpenReservation } from "../../billing/usage-row.ts";
import { splitUsageKey } from "../../keys.ts";
import type { Clock, NewId } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Table } from "../../ports/table.ts";
import { tellDamage } from "../../stored-row.ts";
import { dueKeys } from "../sync/due.ts";

export interface ReservationPorts {
  readonly ledger: Table;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/**
 * Ends reservations that are past their time, those of workers that died: by the operation's row when it has a result
 * written under them, else for nothing. Features without a book are left alone.
 *
 * @returns how many were ended
 */
export async function settleReservations(ports: ReservationPorts, books: readonly ResultBook[]): Promise<number> {
  const { ledger, clock } = ports;
  const nowMs = clock();
  let ended = 0;
  for await (const keys of dueKeys(ledger, "usage", nowMs)) {
    for (const key of keys) {
      const { userId: user, month, feature } = splitUsageKey(key);
      const named = features.find((each) => each === feature);
      const own = books.filter((book) => book.feature === named);
      if (!named || own.length === 0) continue;
      const budget = new TokenBudget(ledger, named, clock, ports.newId);
      try {
        ended += await settleOne(budget, userId.parse(user), month, own, nowMs);
      } catch (error) {
        // One person's keep no other's waiting.
        tellDamage(error, ports.log, "reservations");
      }
    }
  }
  return ended;
}

async function settleOne(
  budget: TokenBudget,
  user: UserId,
  month: Month,
  books: readonly ResultBook[],
  nowMs: number,
): Promise<number> {
  const isOver = (_: string, reservation: OpenReservation) => isReservationOver(reservation, nowMs);
  const ended = await budget.settleFromResults(user, month, isOver, (ops) => lookUp(books, user, ops));
  await budget.clearDue(user, month, nowMs);
  return ended;
}
