import type { ServerFrame } from "../../../events/frames/frames.ts";
import type { ScoutHealth } from "../../../events/health.ts";
import { isMendedByConsent } from "../../scouts/lifecycle/disable-scout.ts";
import type { ScoutRow } from "../../scouts/scout-row.ts";
import { syncHint } from "../../scouts/sync/sync-hint.ts";
import { tellDamage } from "../../stored-row.ts";
import type { DevicePorts, From } from "./device-ports.ts";

/** A gap is told of for so long. */
const gapNewsMs = 86_400_000;
/** That a wait for the model is over is told for so long: a device that was away still shows it. */
const heldNewsMs = 30 * 86_400_000;

/**
 * What a device that has just said hello sets going and has to know: its person was seen, so scouts that rested for want
 * of that are woken and look at their source; and scouts whose access was withdrawn ask to be connected again.
 *
 * Seen is written before the scouts are read: see daily-maintenance.ts.
 */
export async function greet(ports: DevicePorts, { userId, connectionId }: From): Promise<void> {
  const nowMs = ports.clock();
  try {
    await ports.accounts.seen(userId, nowMs);
    const { rows: scouts, damaged } = await ports.scouts.listEach(userId);
    for (const { error } of damaged) tellDamage(error, ports.log, "hello");
    await wakeAll(ports, scouts, nowMs);
    const troubled = await healthOf(
      ports,
      scouts.filter((row) => hasNews(row, nowMs)),
    );
    const health = troubled.map((each): ServerFrame => ({ type: "scout_health", health: each }));
    for (const frame of [...scouts.flatMap(reauthFrames), ...health]) {
      if ((await ports.sockets.post(connectionId, frame)) === "gone") return;
    }
  } catch (error) {
    // The session stands without it, and the next hello tries again.
    ports.log.error("hello_failed", error);
  }
}

/** Of those of which it can be told now: none keeps another's from the device. */
async function healthOf({ health, log }: DevicePorts, scouts: readonly ScoutRow[]): Promise<readonly ScoutHealth[]> {
  const told = await Promise.allSettled(scouts.map(health));
  return told.flatMap((each) => {
    if (each.status === "fulfilled") return [each.value];
    log.error("hello_failed", each.reason);
    return [];
  });
}

async function wakeAll(ports: DevicePorts, scouts: readonly ScoutRow[], nowMs: number): Promise<void> {
  const resting = scouts.filter(({ inactiveAt }) => inactiveAt !== undefined);
  if (resting.length === 0) return;
  // In that order: a scout that is woken and not queued is found by the poll, one queued and not woken is not.
  await Promise.all(resting.map((row) => ports.scouts.wake(row, nowMs)));
  await ports.sync.send(resting.map((row) => syncHint(row, "resumed", ports.newId())));
}

/** Whether a person would want to know how this scout is: it is off, fails, hears of nothing, had a gap, or waits. */
function hasNews(row: ScoutRow, nowMs: number): boolean {
  const lapsed = row.watchExpiresAt !== undefined && row.watchExpiresAt <= nowMs;
  const gap = row.gapTo !== undefined && nowMs - row.gapTo < gapNewsMs;
  const held = row.heldSince !== undefined || (row.heldUntil !== undefined && nowMs - row.heldUntil < heldNewsMs);
  return row.disabledCode !== undefined || (row.failures ?? 0) > 0 || lapsed || gap || held;
}

function reauthFrames({ scoutId, disabledCode: code, disabledAt, createdAt }: ScoutRow): ServerFrame[] {
  if (!code || !isMendedByConsent(code)) return [];
  return [{ type: "scout_reauth_required", scoutId, code, since: disabledAt ?? createdAt }];
}
