import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { TriageMessage } from "../../../events/queues.ts";
import { failurePolicy } from "../../breaker/failure-policy.ts";
import { ledgerKey, ledgerPrefix } from "../../keys.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Queue } from "../../ports/queue.ts";
import type { Item, Table } from "../../ports/table.ts";
import { readableRows } from "../../stored-row.ts";
import type { ScoutRow } from "../scout-row.ts";
import { type ItemRow, parseItemRow } from "./item-row.ts";
import { ItemStore } from "./item-store.ts";

/** Waits that have nothing to do with the scout's access: those go on, and so do those for the model. */
const unrelated: ReadonlySet<ErrorCode> = new Set(["quota_exceeded", "source_quota_spent", "source_rate_limited"]);
/** As for every item that is queued again: see due.ts. */
const graceMs = 15 * 60_000;
const pageSize = 200;

export interface RequeuePorts {
  readonly ledger: Table;
  readonly triage: Queue<TriageMessage>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Queues what has waited for a scout to be connected again, rather than at the next look, which may be a day away. What is queued is
 * due within the quarter of an hour, as is what the due cron brings anyway; so whoever goes on leaves that out.
 *
 * @param isTimeUp asked after each page of rows
 * @returns whether all of it is queued; else ask again
 */
export async function requeueItemsOf(
  ports: RequeuePorts,
  { userId, scoutId }: ScoutRow,
  isTimeUp: () => boolean,
): Promise<boolean> {
  const items = new ItemStore(ports.ledger);
  const { pk } = ledgerKey.user(userId);
  let start: Item | undefined;
  do {
    const page = await ports.ledger.query({
      hash: pk,
      prefix: ledgerPrefix.itemsOf(scoutId),
      limit: pageSize,
      consistent: true,
      ...(start ? { start } : {}),
    });
    const soonMs = ports.clock() + graceMs;
    const rows = readableRows(page.items, parseItemRow, ports.log, "requeue");
    const waiting = rows.filter((row) => waitsForAccess(row) && (row.dueAt ?? 0) > soonMs);
    await ports.triage.send(waiting.map(({ ref }) => ({ body: { v: 1, userId, scoutId, ref }, group: userId })));
    await Promise.all(waiting.map((row) => items.requeued(row, soonMs)));
    start = page.next;
    if (start && isTimeUp()) return false;
  } while (start);
  return true;
}

function waitsForAccess({ status, code }: ItemRow): boolean {
  return status === "deferred" && !(code && (unrelated.has(code) || failurePolicy(code)));
}
