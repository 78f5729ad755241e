import type { ErrorCode } from "../../../events/error-kinds.ts";
import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import type { ItemRef, ScoutId, UserId } from "../../../events/ids.ts";
import type { SyncCause, SyncMessage, TriageMessage } from "../../../events/queues.ts";
import { delays, exponentialDelayMs } from "../../outcome/delays.ts";
import {
  asScoutsError,
  configurationInvalid,
  done,
  isOperators,
  isOwnService,
  mayPass,
  type Outcome,
  outcomeOf,
} from "../../outcome/outcome.ts";
import type { Clock, NewId, Random } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Queue } from "../../ports/queue.ts";
import type { Table } from "../../ports/table.ts";
import type { ConnectorRegistry, Gap, Listing, Position, SourceConnector } from "../connectors/connector.ts";
import { requeueItemsOf } from "../items/requeue-items.ts";
import { dailyMaintenance, maintenanceDue } from "../lifecycle/daily-maintenance.ts";
import { disableScout, type Notices } from "../lifecycle/disable-scout.ts";
import { leaveFormerMailbox, settleIdleScout } from "../lifecycle/idle-scout.ts";
import { SourceQuota } from "../quota/source-quota.ts";
import { SourceThrottle } from "../quota/source-throttle.ts";
import { isAtWork, type ScoutRow, whileAtWork } from "../scout-row.ts";
import { ScoutStore } from "../scout-store.ts";
import { setUpWatch } from "../watch/watch.ts";
import { failedInPart, failureOf, isRefusedForLong } from "./failed-look.ts";
import { holdScout, type ProbingBreaker, tellWaitIsOver } from "./hold-scout.ts";
import { recordSyncRun } from "./run-store.ts";
import { defaultIntervalMs, nextPollAt } from "./schedule.ts";
import { syncHint } from "./sync-hint.ts";

/** A run stops taking pages when this little of its time is left, saves its place and queues its own continuation. */
const reserveMs = 20_000;

const watchMarginMs = 6 * 86_400_000;
const watchRetryMs = 3_600_000;
/** The same where not the source was to blame. */
const watchSoonMs = 60_000;
/** A run that failed is repeated after one, two, four, eight minutes, then at the usual pace. */
const failureDelayMs = 60_000;
/** So often in a row a scout waits by its own schedule for what our side failed in: a quarter of an hour. */
const mostOfOurs = 4;

export interface SyncPorts {
  readonly ledger: Table;
  readonly connectors: ConnectorRegistry;
  readonly breaker: ProbingBreaker;
  readonly notices: Notices;
  readonly triage: Queue<TriageMessage>;
  readonly sync: Queue<SyncMessage>;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
  readonly log: Log;
}

/** Which scout to look at, and why: all of the messages that a run answers. */
export interface SyncRequest {
  readonly userId: UserId;
  readonly scoutId: ScoutId;
  readonly causes?: ReadonlySet<SyncCause>;
  /** The worker of an earlier delivery may have died of it. */
  readonly interrupted?: boolean;
}

/**
 * Looks at one scout's source and queues what is new. Position is read from the scout's row, never from a message, and
 * is committed only when every ref before it is on the Triage queue, so a crash at any point repeats and skips nothing.
 *
 * @param remainingMs time left of this invocation
 */
export async function syncScout(ports: SyncPorts, of: SyncRequest, remainingMs: () => number): Promise<Outcome> {
  const run: Run = {
    ...ports,
    scouts: new ScoutStore(ports.ledger),
    quota: new SourceQuota(ports.ledger, ports.clock, ports.random),
    causes: of.causes ?? new Set(),
    remainingMs,
  };
  let row: ScoutRow | undefined;
  try {
    row = await run.scouts.get(of.userId, of.scoutId);
    if (!isAtWork(row)) return await settleIdleScout(run, row);
    if (row.cursor === undefined) return { kind: "drop", code: "source_not_connected" };
    if (maintenanceDue(row, ports.clock()) && (await dailyMaintenance(ports, row)))
      return { kind: "drop", code: "scout_paused" };
    if (run.causes.has("connected") && !(await requeueItemsOf(ports, row, () => remainingMs() < reserveMs))) {
      await ports.sync.send([syncHint(row, "connected", ports.newId())]);
      return done;
    }
    if (row.formerAddress !== undefined) await tryToLeave(run, row);
    const open = await run.breaker.current();
    const watch = watchIsDue(run, row);
    const untilMs = await takeUnits(run, row, { list: open === undefined, watch });
    if (untilMs !== undefined) {
      throw new ScoutsError("source_quota_spent", { data: { retryAfterMs: untilMs - ports.clock() } });
    }
    const watchAgainAtMs = watch ? await tryToWatch(run, row) : undefined;
    if (open) return await holdScout(run, row, open, run.causes);
    await tellWaitIsOver(run, row);
    if (of.interrupted) await noteInterrupted(run, row);
    return await listAndQueue(run, row, { cursor: row.cursor }, watchAgainAtMs);
  } catch (error) {
    return settle(run, of, row, row ? await new SourceThrottle(run).record(row, error) : error);
  }
}

interface Run extends SyncPorts {
  readonly scouts: ScoutStore;
  readonly quota: SourceQuota;
  readonly causes: ReadonlySet<SyncCause>;
  readonly remainingMs: () => number;
}

/**
 * Takes units for one page, and for the watch when it is due. Listing is small and what everything else waits for, so it
 * may use the reserve.
 *
 * @returns when to ask again, if there are none
 */
async function takeUnits(
  run: Run,
  row: ScoutRow,
  { list, watch }: { list: boolean; watch: boolean },
): Promise<number | undefined> {
  const { limits } = connectorOf(run, row);
  const units = limits ? (list ? limits.costs.list : 0) + (watch ? limits.costs.watch : 0) : 0;
  if (units === 0) return undefined;
  const taken = await run.quota.take(row, limits, units, true);
  return taken.granted ? undefined : taken.untilMs;
}

async function listAndQueue(
  run: Run,
  row: ScoutRow,
  start: { cursor: string },
  latestAtMs = Number.POSITIVE_INFINITY,
): Promise<Outcome> {
  const connector = connectorOf(run, row);
  const startedAtMs = run.clock();
  let position: Position = row.page === undefined ? start : { ...start, page: row.page };
  let queued = 0;
  let pages = 0;
  let gap: Gap | undefined;
  let lacks: ErrorCode | undefined;
  let waitUntilMs: number | undefined;
  for (;;) {
    const listing = await listOrBlame(connector, row, position);
    await queueRefs(run.triage, row, listing.refs);
    queued += listing.refs.length;
    pages += 1;
    gap = listing.gap ?? gap;
    lacks = listing.lacks ?? lacks;
    const complete = listing.nextPage === undefined;
    position = complete ? { cursor: listing.cursor ?? start.cursor } : { ...start, page: listing.nextPage };
    if (complete || run.remainingMs() < reserveMs) break;
    waitUntilMs = await takeUnits(run, row, { list: true, watch: false });
    if (waitUntilMs !== undefined) break;
  }
  const nowMs = run.clock();
  const complete = position.page === undefined;
  const dueAtMs = Math.min(waitUntilMs ?? nextPollAt(row.schedule, nowMs), latestAtMs);
  const { causes } = run;
  const found = { ...(gap && { gap }), ...(lacks && { failed: failedInPart(row, lacks, nowMs) }) };
  const committed = await run.scouts.commitPosition(row, position, { nowMs, dueAtMs, causes, ...found });
  const { userId, scoutId } = row;
  // Removed meanwhile: nothing is left of it, and what is queued is dropped.
  if (!committed) await run.scouts.get(userId, scoutId);
  if (!complete && waitUntilMs === undefined) await run.sync.send([syncHint(row, "continue", run.newId())]);
  const outcome = committed ? (complete ? "complete" : "continued") : "overtaken";
  const durationMs = nowMs - startedAtMs;
  await recordSyncRun(run, { userId, scoutId, outcome, queued, pages, durationMs }, nowMs);
  run.log.event("sync_run", { scoutId, outcome, queued, pages });
  return done;
}

/** If this look takes its worker as well, the row already says so; one that comes to its end takes it back. */
async function noteInterrupted({ scouts, clock }: Run, row: ScoutRow): Promise<void> {
  const nowMs = clock();
  const facts = failureOf(row, new ScoutsError("interrupted"), nowMs);
  await scouts.failed(row.userId, row.scoutId, { ...facts, dueAtMs: nowMs + defaultIntervalMs });
}

/** What a connector throws without a code is a mistake it makes about this source: its owner's news, no operator's. */
async function listOrBlame(connector: SourceConnector, row: ScoutRow, position: Position): Promise<Listing> {
  try {
    return await connector.listNew(row, position);
  } catch (error) {
    if (isScoutsError(error)) throw error;
    throw new ScoutsError("source_unreadable", { data: { scoutId: row.scoutId }, cause: error });
  }
}

function connectorOf(ports: SyncPorts, row: ScoutRow): SourceConnector {
  const connector = ports.connectors.get(row.sourceType);
  if (!connector) throw new ScoutsError("source_unknown", { data: { scoutId: row.scoutId } });
  return connector;
}

/** Watches last seven days where we know of one, and are renewed daily; one that failed is tried again in an hour, or in a minute. */
function watchIsDue(run: Run, row: ScoutRow): boolean {
  if (connectorOf(run, row).pollOnly) return false;
  const nowMs = run.clock();
  const lasts = (row.watchExpiresAt ?? 0) - nowMs > watchMarginMs;
  const { watchFailureCode: code, watchFailedAt = 0 } = row;
  return !lasts && Math.abs(nowMs - watchFailedAt) >= (code && isOwnService(code) ? watchSoonMs : watchRetryMs);
}

/**
 * Sets the watch up at the first run and prolongs it. Before listing, so that nothing falls between the two. A watch
 * that fails does not keep mail waiting: the poll finds it all the same.
 *
 * @returns when to try again at the latest, if somebody else is just changing the mailbox's watch, or our own side has failed
 */
async function tryToWatch(run: Run, row: ScoutRow): Promise<number | undefined> {
  const { userId, scoutId } = row;
  try {
    return await setUpWatch(run, connectorOf(run, row), row);
  } catch (error) {
    // Never a reason to switch off: what is wrong with the access itself the listing meets as well.
    const nowMs = run.clock();
    const { code } = asScoutsError(error);
    run.log.error(isOperators(code) ? configurationInvalid : "watch_failed", error, { scoutId, what: "watch" });
    await run.scouts.notWatched(userId, scoutId, { code, nowMs });
    return isOwnService(code) ? nowMs + watchSoonMs : undefined;
  }
}

/** The mailbox the scout was on before; what does not succeed is tried again by the next run. */
async function tryToLeave(run: Run, row: ScoutRow): Promise<void> {
  try {
    await leaveFormerMailbox(run, row);
  } catch (error) {
    run.log.error("former_mailbox_not_removed", error, { scoutId: row.scoutId });
  }
}

async function queueRefs(triage: Queue<TriageMessage>, row: ScoutRow, refs: readonly ItemRef[]): Promise<void> {
  const { userId, scoutId } = row;
  await triage.send([...new Set(refs)].map((ref) => ({ body: { v: 1, userId, scoutId, ref }, group: userId })));
}

/**
 * Only what the owner can mend switches the scout off; what our side is to blame for shows in its health and is tried
 * again.
 *
 * A scout waits for its source by its own schedule, not in the queue: its group would block there for nothing, and a
 * source that fails for long would end among the dead letters, which call an operator. So does what our own side fails in for a moment;
 * what it fails in again and again comes back from the queue, and ends there. By the time the source is asked, whatever the message's
 * cause wanted has been done.
 */
async function settle(run: Run, of: SyncRequest, row: ScoutRow | undefined, error: unknown): Promise<Outcome> {
  const { userId, scoutId } = of;
  const nowMs = run.clock();
  const reason = asScoutsError(error).code;
  const outcome: Outcome = isRefusedForLong(row, error, nowMs)
    ? { kind: "disable", code: reason }
    : outcomeOf(error, nowMs);
  if (isOperators(reason)) run.log.error(configurationInvalid, error, { scoutId, what: "sync" });
  else if (outcome.kind === "defer") run.log.event("sync_waits", { scoutId, reason });
  else run.log.error("sync_failed", error, { scoutId, outcome: outcome.kind });
  if (outcome.kind === "disable" || reason === "source_not_connected") {
    await disableScout(run, of, reason);
    return outcome;
  }
  const failed = (dueAtMs: number) => run.scouts.failed(userId, scoutId, { ...failureOf(row, error, nowMs), dueAtMs });
  if (isOperators(reason)) await failed(nowMs + delays.operator);
  else if (outcome.kind === "deadLetter") await failed(nowMs + defaultIntervalMs);
  // A source that asks for patience is no fault of anybody, nor is a sign-in refused in passing, but whoever looks at the scout has to see it.
  else if (outcome.kind === "defer" && (reason === "source_rate_limited" || mayPass(error)))
    await failed(outcome.untilMs);
  else if (outcome.kind === "defer") await run.scouts.schedule(userId, scoutId, outcome.untilMs, whileAtWork);
  if (outcome.kind !== "retry" || row === undefined) return outcome;
  const again = () => failed(nowMs + exponentialDelayMs(row.failures ?? 0, failureDelayMs, defaultIntervalMs));
  if (reason.startsWith("source_")) {
    await again();
    return done;
  }
  if (!isOwnService(reason) || run.causes.has("connected") || (row.failures ?? 0) >= mostOfOurs) return outcome;
  return again().then(
    () => done,
    () => outcome,
  );
}
