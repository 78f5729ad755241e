import { answerFrame } from "../../shared/devices/frames/answer.ts";
import { SessionStore } from "../../shared/devices/session-store.ts";
import { delivery, deliveryPorts } from "../compose/delivery.ts";
import { sessionSealer } from "../compose/keys.ts";
import { sessions } from "../compose/tables.ts";
import { log } from "../log.ts";
import { once } from "../once.ts";
import { connectionOf } from "./connection.ts";

const sessionStore = once(async () => new SessionStore(sessions(), await sessionSealer()));

/** Every frame a device sends. The device is always answered by a frame; API Gateway only hears that we took it. */
export async function handler(event: unknown): Promise<{ statusCode: number }> {
  try {
    const { text, ...from } = connectionOf(event);
    await answerFrame({ ...deliveryPorts(), delivery: delivery(), sessions: sessionStore }, from, text);
    return { statusCode: 200 };
  } catch (error) {
    log.error("frame_failed", error);
    return { statusCode: 500 };
  }
}
