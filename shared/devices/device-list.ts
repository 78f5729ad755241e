import type { DeviceId, UserId } from "../../events/ids.ts";
import { sessionsOf, sessionsPrefix } from "../keys.ts";
import { everyItem } from "../ports/every-item.ts";
import type { Log } from "../ports/log.ts";
import type { Table } from "../ports/table.ts";
import { readableRows } from "../stored-row.ts";
import { isAhead } from "../until.ts";
import type { ConnectionStore } from "./connection-store.ts";
import { longestSessionMs, parseSessionRow, sessionLifeMs, splitSessionKey } from "./session-row.ts";

/** A device as its home knows it: by its sessions, of which nothing is left two hours after the last connection. */
export interface SeenDevice {
  readonly deviceId: DeviceId;
  readonly isConnected: boolean;
  /** Milliseconds since the epoch: now for one that is connected; else when it was, or a little later where its end was not told. */
  readonly seenAt: number;
}

/**
 * The devices of a person that are connected or were within two hours, those that are connected first, then by when they were seen
 * last. One that has said bye is not among them: its session is over.
 */
export async function devicesOf(
  { sessions, connections, log }: { sessions: Table; connections: Pick<ConnectionStore, "list">; log: Log },
  user: UserId,
  nowMs: number,
): Promise<readonly SeenDevice[]> {
  const [open, items] = await Promise.all([
    connections.list(user, nowMs),
    everyItem(sessions, { hash: sessionsOf(user), prefix: sessionsPrefix.sessions, consistent: true }),
  ]);
  const connected = new Set(open.map(({ deviceId }) => deviceId));
  const known = readableRows(items, (row) => ({ ...splitSessionKey(row), ...parseSessionRow(row) }), log, "devices")
    .filter(({ expiresAt }) => isAhead(expiresAt, nowMs, longestSessionMs))
    .map(({ device, expiresAt }) => ({ deviceId: device, seenAt: expiresAt - sessionLifeMs }));
  const away = known.filter(({ deviceId }) => !connected.has(deviceId));
  return [
    ...[...connected].sort().map((deviceId) => ({ deviceId, isConnected: true, seenAt: nowMs })),
    ...away
      .map(({ deviceId, seenAt }) => ({ deviceId, isConnected: false, seenAt: Math.min(seenAt, nowMs) }))
      .sort((a, b) => b.seenAt - a.seenAt || a.deviceId.localeCompare(b.deviceId)),
  ];
}
