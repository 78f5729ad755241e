import { createHash } from "node:crypto";
import { type ScoutHealth, waitingNewsMs } from "../../../events/health.ts";
import type { SyncCause } from "../../../events/queues.ts";
import type { OpenBreaker } from "../../breaker/breaker-row.ts";
import type { Breaker } from "../../breaker/breaker-view.ts";
import { done, type Outcome } from "../../outcome/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Table } from "../../ports/table.ts";
import type { ConnectorRegistry } from "../connectors/connector.ts";
import type { Notices } from "../lifecycle/disable-scout.ts";
import { scoutHealth } from "../lifecycle/health.ts";
import { type ScoutRow, whileAtWork } from "../scout-row.ts";
import type { ScoutStore } from "../scout-store.ts";
import { recordHeldRun } from "./run-store.ts";

/** A scout that is held looks again after four to six minutes, each after its own: not all at once when it is over. */
const againMs = 4 * 60_000;
const againSpreadMs = 2 * 60_000;
/** Causes behind which somebody waits. */
const urgent: readonly SyncCause[] = ["manual", "connected"];

/** The breaker, for a run that asks no model. */
export interface ProbingBreaker extends Breaker {
  /** Somebody waits for news: the next tick of the due cron probes. MUST NOT throw. */
  requestProbe(): Promise<void>;
}

export interface HoldPorts {
  readonly ledger: Table;
  readonly connectors: ConnectorRegistry;
  readonly scouts: ScoutStore;
  readonly breaker: ProbingBreaker;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Lists nothing: what is new waits at its source, behind the cursor, where it is safe and costs nothing. The run says why,
 * and after a day its owner is told, once.
 */
export async function holdScout(
  ports: HoldPorts,
  row: ScoutRow,
  open: OpenBreaker,
  causes: ReadonlySet<SyncCause>,
): Promise<Outcome> {
  const { userId, scoutId } = row;
  const nowMs = ports.clock();
  await ports.scouts.schedule(
    userId,
    scoutId,
    nowMs + againMs + Math.round(ownShare(scoutId) * againSpreadMs),
    whileAtWork,
  );
  await recordHeldRun(ports.ledger, row, open, nowMs);
  ports.log.event("sync_held", { scoutId, reason: open.code, since: open.sinceMs });
  if (urgent.some((cause) => causes.has(cause))) await ports.breaker.requestProbe();
  const isNews = nowMs - open.sinceMs >= waitingNewsMs;
  if (isNews && (await ports.scouts.heldNews(userId, scoutId, open.sinceMs))) await tell(ports, row);
  return done;
}

/** The first run that lists again takes the news back. */
export async function tellWaitIsOver(ports: HoldPorts, row: ScoutRow): Promise<void> {
  const { userId, scoutId, heldSince } = row;
  if (heldSince === undefined) return;
  if (await ports.scouts.heldOver(userId, scoutId, heldSince, ports.clock())) await tell(ports, row);
}

/** The shortcut only: a device that is not connected, or misses it, is told when it says hello. */
async function tell(ports: HoldPorts, row: ScoutRow): Promise<void> {
  try {
    const health: ScoutHealth = await scoutHealth(ports, row);
    await ports.notices.toEveryDevice(row.userId, [{ type: "scout_health", health }]);
  } catch (error) {
    ports.log.error("notice_not_sent", error, { scoutId: row.scoutId });
  }
}

/** From 0 to 1, the same for a scout each time. */
function ownShare(scoutId: string): number {
  return createHash("sha256").update(scoutId).digest().readUInt8(0) / 256;
}
