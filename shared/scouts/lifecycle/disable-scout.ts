import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import type { ScoutId, UserId } from "../../../events/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { ScoutStore } from "../scout-store.ts";

/** Tells a person's connected devices; those that are not connected are told when they say hello. */
export interface Notices {
  toEveryDevice(user: UserId, frames: readonly ServerFrame[]): Promise<void>;
}

export interface DisablePorts {
  readonly scouts: ScoutStore;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly log: Log;
}

/** Codes that the person mends by connecting the scout again. */
const mendedByConsent: ReadonlySet<ErrorCode> = new Set(["reauth", "consent_incomplete"]);

/** Whether a scout that is off for this reason works again once its owner has consented anew. */
export function isMendedByConsent(code: ErrorCode): boolean {
  return mendedByConsent.has(code);
}

/**
 * Switches a scout off until its owner has done something, and says so at once, whatever mends it. Its watch is given up by the
 * next poll: see idle-scout.ts.
 */
export async function disableScout(
  ports: DisablePorts,
  { userId, scoutId }: { userId: UserId; scoutId: ScoutId },
  code: ErrorCode,
): Promise<void> {
  const nowMs = ports.clock();
  if (!(await ports.scouts.disable(userId, scoutId, code, nowMs))) return;
  ports.log.event("scout_disabled", { scoutId, reason: code });
  try {
    await ports.notices.toEveryDevice(userId, [{ type: "scout_reauth_required", scoutId, code, since: nowMs }]);
  } catch (error) {
    ports.log.error("notice_not_sent", error, { scoutId });
  }
}
