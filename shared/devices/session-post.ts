import type { ServerFrame } from "../../events/frames/frames.ts";
import type { DeviceId, SessionId, UserId } from "../../events/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { Connections } from "../ports/connections.ts";
import type { Table } from "../ports/table.ts";
import type { ConnectionStore } from "./connection-store.ts";
import { livingSession } from "./session-row.ts";

export interface PostPorts {
  /** The Sessions table. */
  readonly table: Table;
  readonly connections: ConnectionStore;
  readonly sockets: Connections;
  readonly clock: Clock;
}

/** Who asked for what is posted: a device may have several connections, one a program. */
export interface Asker {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly sessionId: SessionId;
  readonly connectionId: string;
}

/**
 * Posts frames to the connection that asked, and when that is gone, to the session's newest. `gone` when there is none:
 * whoever has to have the frames asks again on its next connection.
 */
export async function postToSession(
  ports: PostPorts,
  asker: Asker,
  frames: readonly ServerFrame[],
): Promise<"sent" | "gone"> {
  const tried = new Set<string>();
  let next = 0;
  for (let connectionId: string | undefined = asker.connectionId; connectionId !== undefined; ) {
    next = await postFrom(ports, connectionId, frames, next);
    if (next === frames.length) return "sent";
    tried.add(connectionId);
    await ports.connections.remove(asker.userId, connectionId);
    connectionId = await newestConnection(ports, asker, tried);
  }
  return "gone";
}

/** @returns the index of the first frame that could not be posted */
async function postFrom(ports: PostPorts, connectionId: string, frames: readonly ServerFrame[], first: number) {
  for (let index = first; index < frames.length; index += 1) {
    const frame = frames[index];
    if (frame && (await ports.sockets.post(connectionId, frame)) === "gone") return index;
  }
  return frames.length;
}

async function newestConnection(ports: PostPorts, asker: Asker, tried: ReadonlySet<string>) {
  const row = await livingSession(ports.table, asker.userId, asker.deviceId, ports.clock());
  return row?.sessionId === asker.sessionId && !tried.has(row.connectionId) ? row.connectionId : undefined;
}
