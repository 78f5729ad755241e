import { monotonicFactory } from "ulidx";
import { isScoutsError, ScoutsError } from "../../events/errors.ts";
import type { ItemRef, ScoutId, UserId } from "../../events/ids.ts";
import type { SyncMessage, TriageMessage } from "../../events/queues.ts";
import { done, type Outcome, outcomeOf } from "../outcome.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Queue } from "../ports/queue.ts";
import type { Table } from "../ports/table.ts";
import type { ConnectorRegistry, Gap, Position, SourceConnector } from "./connectors/connector.ts";
import { recordSyncRun } from "./run-store.ts";
import type { ScoutRow } from "./scout-row.ts";
import { ScoutStore } from "./scout-store.ts";

const newUlid = monotonicFactory();

/** A run stops taking pages when this little of its time is left, saves its place and queues its own continuation. */
const reserveMs = 20_000;
/** How often a scout is looked at when nothing else prompts it. */
export const pollEveryMs = 15 * 60_000;

/** Watches last seven days where we know of one, and are renewed daily. */
const watchMarginMs = 6 * 86_400_000;

export interface SyncPorts {
  readonly ledger: Table;
  readonly connectors: ConnectorRegistry;
  readonly triage: Queue<TriageMessage>;
  readonly sync: Queue<SyncMessage>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Looks at one scout's source and queues what is new. Position is read from the scout's row, never from a message, and
 * is committed only when every ref before it is on the Triage queue, so a crash at any point repeats and skips nothing.
 *
 * @param remainingMs time left of this invocation
 */
export async function syncScout(
  ports: SyncPorts,
  of: { userId: UserId; scoutId: ScoutId },
  remainingMs: () => number,
): Promise<Outcome> {
  const scouts = new ScoutStore(ports.ledger);
  try {
    const row = await scouts.get(of.userId, of.scoutId);
    if (row.disabledCode) return { kind: "drop", code: "scout_disabled" };
    if (row.paused) return { kind: "drop", code: "scout_paused" };
    if (row.cursor === undefined) return { kind: "drop", code: "source_not_connected" };
    await ensureWatch(ports, scouts, row);
    return await listAndQueue(ports, scouts, row, { cursor: row.cursor }, remainingMs);
  } catch (error) {
    return settle(ports, scouts, of, error);
  }
}

async function listAndQueue(
  ports: SyncPorts,
  scouts: ScoutStore,
  row: ScoutRow,
  start: { cursor: string },
  remainingMs: () => number,
): Promise<Outcome> {
  const connector = connectorOf(ports, row);
  const startedAtMs = ports.clock();
  let position: Position = row.page === undefined ? start : { ...start, page: row.page };
  let queued = 0;
  let pages = 0;
  let gap: Gap | undefined;
  for (;;) {
    const listing = await connector.listNew(row, position);
    await queueRefs(ports.triage, row, listing.refs);
    queued += listing.refs.length;
    pages += 1;
    gap = listing.gap ?? gap;
    const complete = listing.nextPage === undefined;
    position = complete ? { cursor: listing.cursor ?? start.cursor } : { ...start, page: listing.nextPage };
    if (complete || remainingMs() < reserveMs) break;
  }
  const nowMs = ports.clock();
  const complete = position.page === undefined;
  const dueAtMs = nowMs + pollEveryMs;
  const committed = await scouts.commitPosition(row, position, { nowMs, dueAtMs, ...(gap ? { gap } : {}) });
  if (!complete) await queueContinuation(ports.sync, row);
  const outcome = committed ? (complete ? "complete" : "continued") : "overtaken";
  const { userId, scoutId } = row;
  await recordSyncRun(
    ports.ledger,
    { userId, scoutId, outcome, queued, pages, durationMs: nowMs - startedAtMs },
    nowMs,
  );
  ports.log.event("sync_run", { scoutId, outcome, queued, pages });
  return done;
}

function connectorOf(ports: SyncPorts, row: ScoutRow): SourceConnector {
  const connector = ports.connectors.get(row.sourceType);
  if (!connector) throw new ScoutsError("source_unknown", { data: { scoutId: row.scoutId } });
  return connector;
}

/**
 * Sets the watch up at the first run and prolongs it daily. Before listing, so that nothing falls between the two. A
 * watch that fails does not keep mail waiting: the poll finds it all the same, and the next run tries again.
 */
async function ensureWatch(ports: SyncPorts, scouts: ScoutStore, row: ScoutRow): Promise<void> {
  if ((row.watchExpiresAt ?? 0) - ports.clock() > watchMarginMs) return;
  try {
    const watch = await connectorOf(ports, row).setupWatch(row);
    if (watch) await scouts.watched(row.userId, row.scoutId, watch.expiresAtMs);
  } catch (error) {
    if (row.watchExpiresAt === undefined) throw error;
    ports.log.error("watch_failed", error, { scoutId: row.scoutId });
  }
}

async function queueRefs(triage: Queue<TriageMessage>, row: ScoutRow, refs: readonly ItemRef[]): Promise<void> {
  const { userId, scoutId } = row;
  await triage.send([...new Set(refs)].map((ref) => ({ body: { v: 1, userId, scoutId, ref }, group: userId })));
}

async function queueContinuation(sync: Queue<SyncMessage>, row: ScoutRow): Promise<void> {
  const { userId, scoutId } = row;
  const body: SyncMessage = { v: 1, userId, scoutId, cause: "continue" };
  await sync.send([{ body, group: scoutId, dedupeId: newUlid() }]);
}

/** A scout waits by its own schedule, not in the queue: its group would block there for nothing. */
async function settle(
  ports: SyncPorts,
  scouts: ScoutStore,
  of: { userId: UserId; scoutId: ScoutId },
  error: unknown,
): Promise<Outcome> {
  const outcome = outcomeOf(error, ports.clock());
  ports.log.error("sync_failed", error, { scoutId: of.scoutId, outcome: outcome.kind });
  if (outcome.kind === "disable") await scouts.disable(of.userId, of.scoutId, outcome.code);
  if (outcome.kind === "defer") await scouts.schedule(of.userId, of.scoutId, outcome.untilMs);
  if (outcome.kind === "deadLetter" && isScoutsError(error)) await scouts.disable(of.userId, of.scoutId, error.code);
  return outcome;
}
