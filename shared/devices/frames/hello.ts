import { ScoutsError } from "../../../events/errors.ts";
import { type ClientFrame, protocolVersion, type ServerFrame, socketLimits } from "../../../events/frames.ts";
import type { DevicePorts, From } from "./device-ports.ts";

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
  return {
    type: "session_ready",
    inReplyTo: frame.id,
    sessionId: session.sessionId,
    sessionKey: session.key.reveal(),
    limits: { ...socketLimits },
    serverTime: nowMs,
  };
}
