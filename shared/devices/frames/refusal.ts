import { type ErrorCode, errorKinds } from "../../../events/error-kinds.ts";
import type { ErrorData } from "../../../events/errors.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import type { FrameId } from "../../../events/ids.ts";
import type { DevicePorts, From } from "./device-ports.ts";

/** What a device is told of a frame that is refused, or of its connection when no frame is meant. */
export function errorFrame(code: ErrorCode, data: ErrorData, inReplyTo?: FrameId): ServerFrame {
  const message = errorKinds[code].sentence;
  const facts = Object.keys(data).length > 0 ? { data: { ...data } } : {};
  return { type: "error", code, message, ...(inReplyTo === undefined ? {} : { inReplyTo }), ...facts };
}

/** Ends a connection; its device has been told why. */
export async function cutOff(
  ports: Pick<DevicePorts, "connections" | "sockets">,
  { userId, connectionId }: Pick<From, "userId" | "connectionId">,
): Promise<void> {
  await ports.connections.remove(userId, connectionId);
  await ports.sockets.close(connectionId);
}
