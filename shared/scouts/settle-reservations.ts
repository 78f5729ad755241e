import { itemRef, scoutId, type UserId, userId } from "../../events/ids.ts";
import type { Month } from "../billing/month.ts";
import { type Result, TokenBudget } from "../billing/token-budget.ts";
import { splitUsageKey } from "../keys.ts";
import type { Clock } from "../ports/clock.ts";
import type { Table } from "../ports/table.ts";
import { dueKeys } from "./due.ts";
import { type ItemId, ItemStore } from "./item-store.ts";
import { resultOf } from "./settle-tokens.ts";

const feature = "triage";
/** The most a batch read takes. */
const readSize = 100;

export interface ReservationPorts {
  readonly ledger: Table;
  readonly clock: Clock;
}

/**
 * Ends reservations that are past their time, those of workers that died: by the item's row when it has a result written
 * under them, else for nothing.
 *
 * @returns how many were ended
 */
export async function settleReservations(ports: ReservationPorts): Promise<number> {
  const { ledger, clock } = ports;
  const nowMs = clock();
  const budget = new TokenBudget(ledger, feature, clock);
  let ended = 0;
  for await (const keys of dueKeys(ledger, "usage", nowMs)) {
    for (const key of keys) {
      const { userId: user, month, feature: named } = splitUsageKey(key);
      if (named !== feature) continue;
      ended += await settleOne(ports, budget, userId.parse(user), month);
    }
  }
  return ended;
}

async function settleOne({ ledger, clock }: ReservationPorts, budget: TokenBudget, user: UserId, month: Month) {
  const nowMs = clock();
  const items = new ItemStore(ledger);
  const resultsOf = async (ops: readonly string[]) => {
    const results = new Map<string, Result>();
    for (let start = 0; start < ops.length; start += readSize) {
      const some = new Map(ops.slice(start, start + readSize).map((op) => [nameOf(itemOf(user, op)), op]));
      const rows = await items.getMany([...some.values()].map((op) => itemOf(user, op)));
      for (const row of rows) results.set(some.get(nameOf(row)) ?? "", resultOf(row));
    }
    return results;
  };
  const ended = await budget.settleFromResults(user, month, (_, { expiresAt }) => expiresAt <= nowMs, resultsOf);
  await budget.leaveDue(user, month, nowMs);
  return ended;
}

/** The item of an operation: the inverse of `verdictOp`. */
function itemOf(user: UserId, op: string): ItemId {
  const [scout = "", ...rest] = op.split(".");
  return { userId: user, scoutId: scoutId.parse(scout), ref: itemRef.parse(rest.slice(0, -1).join(".")) };
}

function nameOf({ scoutId: scout, ref }: Pick<ItemId, "scoutId" | "ref">): string {
  return `${scout}.${ref}`;
}
