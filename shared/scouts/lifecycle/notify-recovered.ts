import type { Log } from "../../ports/log.ts";
import type { ScoutRow } from "../scout-row.ts";
import type { Notices } from "./disable-scout.ts";
import { type HealthPorts, scoutHealth } from "./health.ts";

export interface NotifyRecoveredPorts extends HealthPorts {
  readonly notices: Notices;
  readonly log: Log;
}

/**
 * Tells a person's connected devices that a scout has its source again, so that none goes on saying that it has not. A
 * device that is not connected asks when it is.
 */
export async function notifyRecovered(ports: NotifyRecoveredPorts, row: ScoutRow): Promise<void> {
  try {
    const health = await scoutHealth(ports, row);
    await ports.notices.toEveryDevice(row.userId, [{ type: "scout_health", health }]);
  } catch (error) {
    // The connection stands without it.
    ports.log.error("notice_not_sent", error, { scoutId: row.scoutId });
  }
}
