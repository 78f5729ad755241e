import * as z from "zod";
import { type DeviceId, deviceId, type UserId } from "../../events/ids.ts";
import { expiry } from "../index-entries.ts";
import { sessionsKey, sessionsPrefix } from "../keys.ts";
import { everyItem } from "../ports/every-item.ts";
import type { Item, Table } from "../ports/table.ts";
import { storedRow } from "../stored-row.ts";
import { isAhead } from "../until.ts";

/** API Gateway ends a connection after two hours; a row may outlive a lost `$disconnect` by ten minutes. */
export const connectionLifeMs = 2 * 3_600_000 + 10 * 60_000;

const connectionRow = z.object({
  connectionId: z.string(),
  deviceId,
  /** Several proposals may go in one frame. */
  takesProposals: z.boolean().default(false),
  expiresAt: z.number(),
});
export type ConnectionRow = z.infer<typeof connectionRow>;

/** Which sockets of a person are open and have said hello. */
export class ConnectionStore {
  readonly #sessions: Table;

  constructor(sessions: Table) {
    this.#sessions = sessions;
  }

  async add(
    user: UserId,
    connectionId: string,
    device: DeviceId,
    nowMs: number,
    takesProposals = false,
  ): Promise<void> {
    await this.#sessions.put({
      ...sessionsKey.connection(user, connectionId),
      connectionId,
      deviceId: device,
      takesProposals,
      ...expiry.of(connectionId, nowMs + connectionLifeMs),
    });
  }

  /** Whether this connection has said hello. */
  async has(user: UserId, connectionId: string, nowMs: number): Promise<boolean> {
    const item = await this.#sessions.get(sessionsKey.connection(user, connectionId));
    return item !== undefined && isAhead(parseConnectionRow(item).expiresAt, nowMs, connectionLifeMs);
  }

  async remove(user: UserId, connectionId: string): Promise<void> {
    await this.#sessions.delete(sessionsKey.connection(user, connectionId));
  }

  /** Read consistently: a device that said hello before a row was written is seen by whoever wrote the row. */
  async list(user: UserId, nowMs: number): Promise<readonly ConnectionRow[]> {
    const hash = sessionsKey.connection(user, "").pk;
    const items = await everyItem(this.#sessions, { hash, prefix: sessionsPrefix.connections, consistent: true });
    return items.map(parseConnectionRow).filter((row) => isAhead(row.expiresAt, nowMs, connectionLifeMs));
  }
}

/** @throws row_damaged */
function parseConnectionRow(item: Item): ConnectionRow {
  return storedRow(item, (stored) => connectionRow.parse(stored));
}
