import type { UserId } from "../../../events/ids.ts";
import { type Month, monthOf } from "../../billing/month.ts";
import type { Result, Spent } from "../../billing/reservation.ts";
import type { ItemRow } from "../items/item-row.ts";
import { type Admission, verdictOp, type WaitingItem } from "./admission.ts";
import type { Triaged, TriagePorts } from "./triage.ts";

/**
 * Counts the tokens a batch took, with one write a person. A failure is only noted: the result rows say what is owed, and
 * reservations past their time are settled from them.
 *
 * @param seenBefore items that came again and have their result: what their worker left open is settled now
 */
export async function settleTokens(
  ports: TriagePorts,
  waiting: ReadonlyMap<string, WaitingItem>,
  triaged: ReadonlyMap<string, Triaged>,
  admissions: ReadonlyMap<WaitingItem, Admission>,
  seenBefore: readonly ItemRow[],
): Promise<void> {
  const spent = [...waiting].flatMap(([name, item]) => spentOn(item, triaged.get(name), admissions.get(item)));
  const byUser = Map.groupBy(spent, ({ user }) => user);
  const left = Map.groupBy(seenBefore, ({ userId }) => userId);
  try {
    await Promise.all([...byUser].map(([user, own]) => settleMonths(ports, user, own)));
    await Promise.all([...left].map(([user, rows]) => settleLeftOpen(ports, user, rows)));
  } catch (error) {
    ports.log.error("tokens_not_settled", error, { count: spent.length + seenBefore.length });
  }
}

interface SpentByUser extends Spent {
  readonly user: UserId;
  readonly month: Month;
}

function spentOn(item: WaitingItem, triaged: Triaged | undefined, admission: Admission | undefined): SpentByUser[] {
  if (!admission || !("reservation" in admission) || !triaged) return [];
  const { month, reservation: request } = admission;
  const of = { user: item.id.userId, month, request };
  const row = triaged.ended ?? triaged.counted;
  if (row) return [{ ...of, result: resultOf(row) }];
  return triaged.released ? [{ ...of, billed: triaged.billed ?? 0 }] : [];
}

async function settleMonths(ports: TriagePorts, user: UserId, own: readonly SpentByUser[]): Promise<void> {
  for (const [month, spent] of Map.groupBy(own, (each) => each.month)) await ports.budget.settle(user, month, spent);
}

async function settleLeftOpen(ports: TriagePorts, user: UserId, rows: readonly ItemRow[]): Promise<void> {
  const results = new Map(rows.map((row) => [verdictOp(row), resultOf(row)]));
  const which = (op: string) => results.has(op);
  await ports.budget.settleFromResults(user, monthOf(ports.clock()), which, async () => results);
}

/** What an item's row says of the tokens its verdict took. */
export function resultOf(row: ItemRow): Result {
  const total = row.inputTokens + row.outputTokens;
  return row.reservation === undefined ? { total } : { total, reservation: row.reservation };
}
