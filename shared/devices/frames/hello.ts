import { ScoutsError } from "../../../events/errors.ts";
import type { ClientFrame, ServerFrame } from "../../../events/frames/frames.ts";
import { protocolVersion, socketLimits } from "../../../events/frames/limits.ts";
import { mostConnections, surplusOf } from "../connection-store.ts";
import type { DevicePorts, From } from "./device-ports.ts";
import { cutOff, errorFrame } from "./refusal.ts";

/** A hello waits for so many that it closes; the next one closes more. */
const mostClosedAtOnce = 10;

/** Begins delivery on this connection and tells the device its session. */
export async function hello(
  ports: DevicePorts,
  from: From,
  frame: Extract<ClientFrame, { type: "hello" }>,
): Promise<ServerFrame> {
  if (frame.protocol !== protocolVersion) throw new ScoutsError("protocol_unsupported", { data: { protocolVersion } });
  if (frame.deviceId !== from.deviceId) throw new ScoutsError("forbidden");
  const nowMs = ports.clock();
  const session = await ports.sessions.resume(from.userId, from.deviceId, from.connectionId, nowMs);
  await ports.connections.add(from.userId, from.connectionId, from.deviceId, nowMs, frame.takesProposals);
  await makeRoom(ports, from, nowMs);
  return {
    type: "session_ready",
    inReplyTo: frame.id,
    sessionId: session.sessionId,
    sessionKey: session.key.reveal(),
    limits: { ...socketLimits },
    serverTime: nowMs,
  };
}

/**
 * Everything new is posted to every connection of a person, so there is a most of them: the oldest are told `rate_limited` and
 * closed, and come back after a while if somebody is there.
 */
async function makeRoom(ports: DevicePorts, from: From, nowMs: number): Promise<void> {
  const surplus = surplusOf(await ports.connections.list(from.userId, nowMs), from.connectionId);
  await Promise.all(
    surplus.slice(0, mostClosedAtOnce).map(async ({ connectionId }) => {
      try {
        await ports.sockets.post(connectionId, errorFrame("rate_limited", { mostConnections }));
        await cutOff(ports, { userId: from.userId, connectionId });
      } catch (error) {
        // Whoever says hello gets a session all the same, and the next hello tries again.
        ports.log.error("connection_not_closed", error);
      }
    }),
  );
}
