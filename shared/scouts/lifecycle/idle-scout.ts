import { isScoutsError } from "../../../events/errors.ts";
import { type Outcome, outcomeOf } from "../../outcome/outcome.ts";
import type { SourceQuota } from "../quota/source-quota.ts";
import { SourceThrottle } from "../quota/source-throttle.ts";
import type { ScoutRow } from "../scout-row.ts";
import { ScoutStore } from "../scout-store.ts";
import { defaultIntervalMs } from "../sync/schedule.ts";
import { MailboxStore } from "../watch/mailbox-store.ts";
import { giveUpWatch, type WatchPorts } from "../watch/watch.ts";

export interface IdlePorts extends WatchPorts {
  readonly quota: SourceQuota;
}

/**
 * What is left to do for a scout that is switched off, paused or rests: its watch is given up. The write that made it
 * idle has put it into the `due` index, where it stays until that is done: whoever dies is followed by the next poll.
 */
export async function settleIdleScout(ports: IdlePorts, row: ScoutRow): Promise<Outcome> {
  const outcome: Outcome = { kind: "drop", code: row.disabledCode ? "scout_disabled" : "scout_paused" };
  if (row.dueAt === undefined) return outcome;
  const scouts = new ScoutStore(ports.ledger);
  const { userId, scoutId, address } = row;
  const settled = () => scouts.settledIdle(userId, scoutId);
  try {
    if (address === undefined) await settled();
    else {
      const againAtMs =
        (await takeUnits(ports, row)) ??
        (await leaveFormerMailbox(ports, row)) ??
        (await giveUpWatch(ports, row, address, settled));
      if (againAtMs !== undefined) await scouts.schedule(userId, scoutId, againAtMs);
    }
  } catch (error) {
    await scouts.schedule(userId, scoutId, await againAfter(ports, row, error));
  }
  return outcome;
}

/** The source's faults, and its connector's, wait in the `due` index; our own come back from the queue. */
async function againAfter(ports: IdlePorts, row: ScoutRow, error: unknown): Promise<number> {
  const failure = await new SourceThrottle(ports).record(row, error);
  if (isScoutsError(failure) && !failure.code.startsWith("source_")) throw failure;
  const again = outcomeOf(failure, ports.clock());
  ports.log.error("watch_not_ended", failure, { scoutId: row.scoutId, outcome: again.kind });
  return again.kind === "defer" ? again.untilMs : ports.clock() + defaultIntervalMs;
}

/**
 * Gives up the watch of the mailbox a scout was on before it was connected to another, and takes the scout off it.
 *
 * @returns when to try again, if somebody else is just changing that mailbox's watch
 * @throws `source_*` when the source does not answer or is rate limiting
 */
export async function leaveFormerMailbox(ports: WatchPorts, row: ScoutRow): Promise<number | undefined> {
  const { formerAddress } = row;
  if (formerAddress === undefined) return undefined;
  return giveUpWatch(ports, row, formerAddress, async () => {
    await new MailboxStore(ports.ledger).remove(formerAddress, row.scoutId, ports.clock());
    await new ScoutStore(ports.ledger).leftFormer(row.userId, row.scoutId, formerAddress);
  });
}

/** @returns when there are units again, if there are none */
async function takeUnits({ quota, connectors }: IdlePorts, row: ScoutRow): Promise<number | undefined> {
  const limits = connectors.get(row.sourceType)?.limits;
  const taken = await quota.take(row, limits, limits?.costs.watch ?? 0, true);
  return taken.granted ? undefined : taken.untilMs;
}
