import type { DeviceId, UserId } from "../../events/ids.ts";
import { type ExpiryEntry, expiry } from "../index-entries.ts";
import { sessionsKey } from "../keys.ts";
import { changeOf } from "../ports/row-change.ts";
import type { Table } from "../ports/table.ts";
import { sessionLifeMs } from "./session-row.ts";

/** A connection is gone. When it was the session's newest, the session has two hours for another. */
export async function sessionDisconnected(
  sessions: Table,
  of: { readonly userId: UserId; readonly deviceId: DeviceId; readonly connectionId: string },
  nowMs: number,
): Promise<void> {
  const expiresAt = nowMs + sessionLifeMs;
  const ours = { path: ["connectionId"], is: "=", value: of.connectionId } as const;
  const shorter = { path: ["expiresAt"], is: ">", value: expiresAt } as const;
  await sessions.update(
    sessionsKey.session(of.userId, of.deviceId),
    changeOf<ExpiryEntry>({ set: expiry.moved(expiresAt) }),
    { all: [ours, shorter] },
  );
}
