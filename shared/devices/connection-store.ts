import * as z from "zod";
import { type DeviceId, deviceId, type UserId } from "../../events/ids.ts";
import { expiry } from "../index-entries.ts";
import { sessionsKey, sessionsPrefix } from "../keys.ts";
import { everyItem } from "../ports/every-item.ts";
import type { Item, Table } from "../ports/table.ts";
import { readEach, storedRow } from "../stored-row.ts";
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

/**
 * So many sockets of a person are told what is new: some ten devices of five programs each. Rows of sockets whose end was not
 * told are among them for two hours at most.
 */
export const mostConnections = 50;

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
    // One that cannot be read is of a socket that hears of news by pulling; it keeps nothing from the others, and goes with its time.
    return readEach(items, parseConnectionRow).read.filter((row) => isAhead(row.expiresAt, nowMs, connectionLifeMs));
  }
}

/**
 * Those that give way when there are too many: each time the oldest of the device that has most, so that one that loses its
 * connection again and again takes no other's.
 *
 * @param newest is never one of them
 */
export function surplusOf(rows: readonly ConnectionRow[], newest: string): readonly ConnectionRow[] {
  const devices = [...Map.groupBy(rows, ({ deviceId: device }) => device).values()].map((own) =>
    own.filter(({ connectionId }) => connectionId !== newest).sort((a, b) => a.expiresAt - b.expiresAt),
  );
  const surplus: ConnectionRow[] = [];
  while (rows.length - surplus.length > mostConnections) {
    const [most] = devices.sort((a, b) => b.length - a.length || oldestAt(a) - oldestAt(b));
    const oldest = most?.shift();
    if (!oldest) break;
    surplus.push(oldest);
  }
  return surplus;
}

function oldestAt([first]: readonly ConnectionRow[]): number {
  return first?.expiresAt ?? Number.POSITIVE_INFINITY;
}

/** @throws row_damaged */
function parseConnectionRow(item: Item): ConnectionRow {
  return storedRow(item, (stored) => connectionRow.parse(stored));
}
