import { ConnectionStore } from "../../shared/devices/connection-store.ts";
import { sessions } from "../compose/tables.ts";
import { log } from "../log.ts";
import { connectionOf } from "./connection.ts";

/** Best effort, as is the event itself: a row left behind is found by its first failed post or by its expiry. */
export async function handler(event: unknown): Promise<{ statusCode: number }> {
  try {
    const { userId, connectionId } = connectionOf(event);
    await new ConnectionStore(sessions()).remove(userId, connectionId);
  } catch (error) {
    log.error("disconnect_failed", error);
  }
  return { statusCode: 200 };
}
