import { ConnectionStore } from "../../shared/devices/connection-store.ts";
import { sessionDisconnected } from "../../shared/devices/session-disconnected.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { sessions } from "../compose/tables.ts";
import { log } from "../log.ts";
import { connectionOf } from "./connection.ts";

/** Best effort, as is the event itself: a row left behind is found by its first failed post or by its expiry. */
export async function handler(event: unknown): Promise<{ statusCode: number }> {
  try {
    const { userId, deviceId, connectionId } = connectionOf(event);
    await new ConnectionStore(sessions()).remove(userId, connectionId);
    await sessionDisconnected(sessions(), { userId, deviceId, connectionId }, systemClock());
  } catch (error) {
    log.error("disconnect_failed", error);
  }
  return { statusCode: 200 };
}
