import { usualRestDays } from "../../../events/http/scouts.ts";
import { parseAccount } from "../../billing/account-row.ts";
import { due } from "../../index-entries.ts";
import { ledgerIndex, ledgerKey, recentOf } from "../../keys.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { changeOf } from "../../ports/row-change.ts";
import type { Item, Table } from "../../ports/table.ts";
import { expiryMs } from "../items/item-row.ts";
import { ItemStore } from "../items/item-store.ts";
import type { ScoutRow, StoredScout } from "../scout-row.ts";
import { ScoutStore } from "../scout-store.ts";
import { itemIdOf } from "../sync/due.ts";

const dayMs = 86_400_000;
const pageSize = 100;

export interface MaintenancePorts {
  readonly ledger: Table;
  readonly clock: Clock;
  readonly log: Log;
}

const lastPassOf = (row: ScoutRow): number => row.maintainedAt ?? row.createdAt;

/** Whether a scout's daily pass is due: by how far away the last one is, as a clock may have stepped back since. */
export function maintenanceDue(row: ScoutRow, nowMs: number): boolean {
  return Math.abs(nowMs - lastPassOf(row)) >= dayMs;
}

/**
 * What a scout does once a day besides looking at its source: it closes its owner's proposals that nobody decided for
 * thirty days, and rests when no device of theirs was seen for long.
 *
 * @returns whether the scout rests from now on
 */
export async function dailyMaintenance(ports: MaintenancePorts, row: ScoutRow): Promise<boolean> {
  const nowMs = ports.clock();
  const expired = await expireProposals(ports.ledger, row, nowMs);
  // A clock that was set back says nothing of how long its owner was away: that is left to tomorrow's pass.
  const rests = lastPassOf(row) <= nowMs && (await restWhenUnseen(ports.ledger, row, nowMs));
  if (!rests) {
    const passed = changeOf<StoredScout>({ set: { maintainedAt: nowMs } });
    await ports.ledger.update(ledgerKey.scout(row.userId, row.scoutId), passed, { exists: ["pk"] });
  }
  ports.log.event("daily_maintenance", { scoutId: row.scoutId, expired, rests });
  return rests;
}

/**
 * The index is in the order in which proposals were opened, so what has expired stands at its beginning; some of it since
 * earlier passes, as no device has heard of it yet.
 */
async function expireProposals(ledger: Table, { userId }: ScoutRow, nowMs: number): Promise<number> {
  const items = new ItemStore(ledger);
  const to = String(nowMs - expiryMs).padStart(15, "0");
  let expired = 0;
  let start: Item | undefined;
  do {
    const page = await ledger.query({
      index: ledgerIndex.recent,
      hash: recentOf.proposals(userId),
      to,
      limit: pageSize,
      ...(start ? { start } : {}),
    });
    const closed = await Promise.all(
      page.items
        .filter(({ status }) => status !== "expired")
        .map((item) => items.close({ ...itemIdOf(item), openAt: openAtIn(item) }, "expired", nowMs)),
    );
    expired += closed.filter(Boolean).length;
    start = page.next;
  } while (start);
  return expired;
}

const openAtIn = ({ openAt }: Item): string | undefined => (typeof openAt === "string" ? openAt : undefined);

/**
 * A device may say hello while this decides. It notes that it was seen before it looks for scouts to wake, and here it
 * is asked again after the scout was put to rest, so one of the two always sees the other:
 *
 *   pass   reads: unseen ─ rests ───────────── reads again: seen ─ wakes
 *   hello       notes: seen ─ looks: not at rest yet
 */
async function restWhenUnseen(ledger: Table, row: ScoutRow, nowMs: number): Promise<boolean> {
  const patienceMs = (row.pauseAfterInactiveDays ?? usualRestDays) * dayMs;
  const seen = async () => {
    const { lastSeenAt } = parseAccount(await ledger.get(ledgerKey.user(row.userId)));
    // By how far it is away: one that is yet to come was noted by a clock that has stepped back since.
    return [lastSeenAt ?? 0, row.connectedAt ?? row.createdAt].some((at) => Math.abs(nowMs - at) < patienceMs);
  };
  if (await seen()) return false;
  const key = ledgerKey.scout(row.userId, row.scoutId);
  // Due once more: its watch is given up then.
  const rest = changeOf<StoredScout>({ set: { inactiveAt: nowMs, ...due.at("scout", row.scoutId, nowMs) } });
  await ledger.update(key, rest, { exists: ["pk"] });
  if (!(await seen())) return true;
  await new ScoutStore(ledger).wake(row, nowMs);
  return false;
}
