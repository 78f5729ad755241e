import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { ScoutHealth } from "../../../events/health.ts";
import { AccountStore } from "../../billing/account-store.ts";
import { monthOf } from "../../billing/month.ts";
import { monthlyCap } from "../../billing/tiers.ts";
import { readUsage } from "../../billing/token-budget.ts";
import { type OpenBreaker, openOf, parseBreakerRow } from "../../breaker/breaker-row.ts";
import { ledgerKey, ledgerPrefix } from "../../keys.ts";
import { modelFailureClass } from "../../llm/model-failure-class.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Item, Table } from "../../ports/table.ts";
import { readEach, unlessDamaged } from "../../stored-row.ts";
import type { ConnectorRegistry } from "../connectors/connector.ts";
import { parseItemRow, waits } from "../items/item-row.ts";
import { bucketKey, freeShare } from "../quota/source-quota.ts";
import { isAtWork, type ScoutRow, toldReasonOf } from "../scout-row.ts";
import { pollIntervalMs } from "../sync/schedule.ts";

/** Rows looked at for the backlog; beyond it the counts are of a part. */
const maxRows = 5_000;
const pageSize = 500;

export interface HealthPorts {
  readonly ledger: Table;
  readonly connectors: ConnectorRegistry;
  readonly clock: Clock;
}

/** Everything that tells whether a scout does its work, and why not. Reads only; codes, counts and times. What is damaged is named. */
export async function scoutHealth(ports: HealthPorts, row: ScoutRow): Promise<ScoutHealth> {
  const { ledger, clock } = ports;
  const nowMs = clock();
  const month = monthOf(nowMs);
  const limits = ports.connectors.get(row.sourceType)?.limits;
  const [backlog, account, usage, breaker, bucket] = await Promise.all([
    backlogOf(ledger, row),
    unlessDamaged(new AccountStore(ledger).get(row.userId)),
    unlessDamaged(readUsage(ledger, row.userId, month, "triage")),
    unlessDamaged(ledger.get(ledgerKey.breaker()).then(parseBreakerRow)),
    limits ? ledger.get(bucketKey(row)) : undefined,
  ]);
  const read = { account, usage, model: breaker };
  const damaged = (["account", "usage", "model"] as const).filter((what) => read[what] === undefined);
  return {
    scoutId: row.scoutId,
    ...stateOf(row),
    disabledCode: row.disabledCode ?? null,
    lastRunAt: row.lastRunAt ?? null,
    lastPushAt: row.lastPushAt ?? null,
    lastPollAt: row.lastPollAt ?? null,
    nextRunAt: isAtWork(row) ? (row.dueAt ?? null) : null,
    pollEveryMs: pollIntervalMs(row.schedule, nowMs),
    watch: watchOf(row, nowMs),
    failures: {
      count: row.failures ?? 0,
      code: row.failureCode ?? null,
      ...toldReasonOf(row),
      at: row.failedAt ?? null,
      since: row.failingSince ?? null,
    },
    backlog,
    waiting: waitingFor(breaker && openOf(breaker), backlog),
    gap: gapOf(row),
    tokens: {
      month,
      scout: usage?.committedWithin.get(row.scoutId) ?? 0,
      scoutCap: row.monthlyTokens ?? null,
      owner: usage?.committed ?? 0,
      ownerCap: (account && monthlyCap(account.tier, "triage")) ?? null,
    },
    ...(damaged.length > 0 && { damaged }),
    quota: limits ? { unitsPerMinute: limits.unitsPerMinute, free: freeShare(bucket, limits, nowMs) } : null,
  };
}

function stateOf(row: ScoutRow): Pick<ScoutHealth, "state" | "since"> {
  if (row.disabledCode) return { state: "disabled", since: row.disabledAt ?? null };
  if (row.cursor === undefined) return { state: "not_connected", since: row.createdAt };
  if (row.paused) return { state: "paused", since: null };
  if (row.inactiveAt !== undefined) return { state: "resting", since: row.inactiveAt };
  return { state: "active", since: null };
}

function waitingFor(open: OpenBreaker | undefined, { byCode }: ScoutHealth["backlog"]): ScoutHealth["waiting"] {
  if (!open) return null;
  const ofModel = Object.entries(byCode).filter(([code]) => modelFailureClass(code as ErrorCode) !== undefined);
  return { count: ofModel.reduce((sum, [, count]) => sum + count, 0), code: open.code, since: open.sinceMs };
}

function gapOf({ gapFrom: from, gapTo: to, gapMissed }: ScoutRow): ScoutHealth["gap"] {
  return from === undefined || to === undefined ? null : { from, to, ...(gapMissed && { missed: true }) };
}

/** A watch that has lapsed is no loss, only slower: the poll goes on. */
function watchOf(row: ScoutRow, nowMs: number): ScoutHealth["watch"] {
  const { watchExpiresAt: expiresAt, watchFailureCode, watchFailedAt } = row;
  const state = expiresAt === undefined ? "none" : expiresAt > nowMs ? "active" : "lapsed";
  return {
    state,
    expiresAt: expiresAt ?? null,
    failureCode: watchFailureCode ?? null,
    failedAt: watchFailedAt ?? null,
  };
}

async function backlogOf(ledger: Table, { userId, scoutId }: ScoutRow): Promise<ScoutHealth["backlog"]> {
  const byCode: Partial<Record<ErrorCode, number>> = {};
  let waiting = 0;
  let dead = 0;
  let seen = 0;
  let start: Item | undefined;
  const { pk } = ledgerKey.user(userId);
  do {
    const page = await ledger.query({
      hash: pk,
      prefix: ledgerPrefix.itemsOf(scoutId),
      limit: pageSize,
      ...(start ? { start } : {}),
    });
    const { read, damaged } = readEach(page.items, parseItemRow);
    if (damaged.length > 0) byCode.row_damaged = (byCode.row_damaged ?? 0) + damaged.length;
    waiting += damaged.length;
    for (const { status, code } of read) {
      if (status === "dead") dead += 1;
      if (!waits({ status })) continue;
      waiting += 1;
      if (code) byCode[code] = (byCode[code] ?? 0) + 1;
    }
    seen += page.items.length;
    start = page.next;
  } while (start && seen < maxRows);
  return { waiting, byCode, dead, complete: start === undefined };
}
