import { isScoutsError } from "../../../events/errors.ts";
import { tellDamage } from "../../stored-row.ts";
import type { ConnectorRegistry, SourceConnector } from "../connectors/connector.ts";
import { isAtWork, type ScoutRow } from "../scout-row.ts";
import { ScoutStore } from "../scout-store.ts";
import { MailboxStore } from "./mailbox-store.ts";
import { type LeasePorts, withWatchLease } from "./watch-lease.ts";

export interface WatchPorts extends LeasePorts {
  readonly connectors: ConnectorRegistry;
}

/**
 * Has the source tell us about news of a scout's mailbox, and notes until when. Nothing for a scout that has stopped
 * working since its row was read: who gives its watch up may have come first.
 *
 * @returns when to try again, if somebody else may just be stopping the mailbox's watch
 * @throws what the connector throws
 */
export async function setUpWatch(
  ports: WatchPorts,
  connector: SourceConnector,
  row: ScoutRow,
): Promise<number | undefined> {
  const { userId, scoutId, address } = row;
  if (connector.pollOnly || address === undefined) return undefined;
  const scouts = new ScoutStore(ports.ledger);
  const setUp = async () => {
    const now = await scouts.get(userId, scoutId);
    if (!isAtWork(now) || now.address !== address) return;
    const watch = await connector.setupWatch(now);
    // Noted before the lease is given back: who stops the watch comes after the note as well.
    if (watch) await scouts.watched(userId, scoutId, watch.expiresAtMs);
  };
  const leased = await withWatchLease(ports, address, "setUp", setUp, mayStillHappen);
  return "busyUntilMs" in leased ? leased.busyUntilMs : undefined;
}

/**
 * Ends the watch of a mailbox a scout has no use for, unless another scout at work has. A source that lets us no longer
 * in cannot be asked: there the watch lapses by itself. May be repeated.
 *
 * @param address the scout's mailbox, or the one it has left
 * @param then what to note once it is done, before anybody may set the watch up again
 * @returns when to try again, if somebody else is just changing the mailbox's watch
 * @throws `source_*` when the source does not answer or is rate limiting
 */
export async function giveUpWatch(
  ports: WatchPorts,
  row: ScoutRow,
  address: string,
  then: () => Promise<void> = async () => {},
): Promise<number | undefined> {
  const connector = ports.connectors.get(row.sourceType);
  if (!connector || connector.pollOnly) {
    await letGo(ports, connector, row);
    await then();
    return undefined;
  }
  const stop = async () => {
    if (!hasLapsed(ports, row, address) && !(await isNeeded(ports, address)))
      await stopAt(ports, connector, row, address);
    await then();
  };
  const leased = await withWatchLease(ports, address, "stop", stop, mayStillHappen);
  return "busyUntilMs" in leased ? leased.busyUntilMs : undefined;
}

/** What fails here ends by itself, and keeps nobody from pausing or deleting a scout. */
async function letGo({ log }: WatchPorts, connector: SourceConnector | undefined, row: ScoutRow): Promise<void> {
  try {
    await connector?.letGo?.(row);
  } catch (error) {
    log.error("source_not_let_go", error, { scoutId: row.scoutId });
  }
}

function hasLapsed({ clock }: WatchPorts, row: ScoutRow, address: string): boolean {
  return row.address === address && row.watchExpiresAt !== undefined && row.watchExpiresAt <= clock();
}

/** Whether a scout at work is told of news by the mailbox's watch, be it whose it may. */
async function isNeeded({ ledger, log }: WatchPorts, address: string): Promise<boolean> {
  const scouts = new ScoutStore(ledger);
  const sharing = await new MailboxStore(ledger).scoutsOf(address);
  const needs = sharing.map(async ({ userId, scoutId }) => {
    try {
      const row = await scouts.find(userId, scoutId);
      return row !== undefined && row.address === address && isAtWork(row);
    } catch (error) {
      // Another person's, most likely: it keeps nobody from pausing or deleting, and nobody else is told of it. It may be at work.
      tellDamage(error, log, "watch");
      return true;
    }
  });
  return (await Promise.all(needs)).some(Boolean);
}

async function stopAt(ports: WatchPorts, connector: SourceConnector, row: ScoutRow, address: string): Promise<void> {
  try {
    await connector.stopWatch({ ...row, address });
    ports.log.event("watch_stopped", { scoutId: row.scoutId });
  } catch (error) {
    if (!isScoutsError(error) || error.kind.retry !== "never") throw error;
    ports.log.error("watch_left_to_expire", error, { scoutId: row.scoutId });
  }
}

/** No answer, and none that says so: the source may have heard us all the same. */
function mayStillHappen(error: unknown): boolean {
  return isScoutsError(error, "source_unavailable") && error.data["status"] === undefined;
}
