import { itemRef, scoutId, type UserId, userId } from "../../../events/ids.ts";
import type { Month } from "../../billing/month.ts";
import type { Result } from "../../billing/reservation.ts";
import { features } from "../../billing/tiers.ts";
import { TokenBudget } from "../../billing/token-budget.ts";
import { isReservationOver, type OpenReservation } from "../../billing/usage-row.ts";
import { splitUsageKey } from "../../keys.ts";
import type { Clock, NewId } from "../../ports/clock.ts";
import type { Table } from "../../ports/table.ts";
import { type ItemId, ItemStore } from "../items/item-store.ts";
import { dueKeys } from "../sync/due.ts";
import { resultOf } from "./settle-tokens.ts";

/** The most a batch read takes. */
const readSize = 100;

export interface ReservationPorts {
  readonly ledger: Table;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** What operations of one feature took, as their rows say it; those without a row are left out. */
export type ResultsOf = (user: UserId, ops: readonly string[]) => Promise<ReadonlyMap<string, Result>>;

/**
 * Ends reservations that are past their time, those of workers that died: by the operation's row when it has a result
 * written under them, else for nothing.
 *
 * @param others where features have their results; of `triage` those that are no item's own verdict
 * @returns how many were ended
 */
export async function settleReservations(
  ports: ReservationPorts,
  others: ReadonlyMap<string, ResultsOf> = new Map(),
): Promise<number> {
  const { ledger, clock } = ports;
  const nowMs = clock();
  const verdicts = verdictResults(ledger);
  const trials = others.get("triage");
  const ofTriage: ResultsOf = async (user, ops) => {
    const own = ops.filter(isVerdictOp);
    const rest = ops.filter((op) => !isVerdictOp(op));
    return new Map([...(await verdicts(user, own)), ...((await trials?.(user, rest)) ?? [])]);
  };
  const results = new Map([...others, ["triage", ofTriage]]);
  let ended = 0;
  for await (const keys of dueKeys(ledger, "usage", nowMs)) {
    for (const key of keys) {
      const { userId: user, month, feature } = splitUsageKey(key);
      const resultsOf = results.get(feature);
      const named = features.find((each) => each === feature);
      if (!resultsOf || !named) continue;
      const budget = new TokenBudget(ledger, named, clock, ports.newId);
      ended += await settleOne(budget, userId.parse(user), month, resultsOf, nowMs);
    }
  }
  return ended;
}

async function settleOne(budget: TokenBudget, user: UserId, month: Month, resultsOf: ResultsOf, nowMs: number) {
  const isOver = (_: string, reservation: OpenReservation) => isReservationOver(reservation, nowMs);
  const ended = await budget.settleFromResults(user, month, isOver, (ops) => resultsOf(user, ops));
  await budget.clearDue(user, month, nowMs);
  return ended;
}

function verdictResults(ledger: Table): ResultsOf {
  const items = new ItemStore(ledger);
  return async (user, ops) => {
    const results = new Map<string, Result>();
    for (let start = 0; start < ops.length; start += readSize) {
      const some = new Map(ops.slice(start, start + readSize).map((op) => [nameOf(itemOf(user, op)), op]));
      const rows = await items.getMany([...some.values()].map((op) => itemOf(user, op)));
      for (const row of rows) results.set(some.get(nameOf(row)) ?? "", resultOf(row));
    }
    return results;
  };
}

/** Whether an operation is an item's verdict (`verdictOp`), and not one in a trial. */
const isVerdictOp = (op: string): boolean => op.startsWith("sct_");

/** The item of an operation: the inverse of `verdictOp`. */
function itemOf(user: UserId, op: string): ItemId {
  const [scout = "", ...rest] = op.split(".");
  return { userId: user, scoutId: scoutId.parse(scout), ref: itemRef.parse(rest.slice(0, -1).join(".")) };
}

function nameOf({ scoutId: scout, ref }: Pick<ItemId, "scoutId" | "ref">): string {
  return `${scout}.${ref}`;
}
