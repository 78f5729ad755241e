import { randomBytes } from "node:crypto";
import { monotonicFactory } from "ulidx";
import * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import { type DeviceId, type SessionId, sessionId, type UserId } from "../../events/ids.ts";
import { sessionsKey, shardOf } from "../keys.ts";
import type { Table } from "../ports/table.ts";
import type { RingSealer } from "../privacy/ring-sealer.ts";
import { Transient } from "../privacy/transient.ts";

const newUlid = monotonicFactory();

/** A session outlives its last sign of life by two hours, so that it survives reconnects. */
export const sessionLifeMs = 2 * 3_600_000;
const keyBytes = 32;

const sessionRow = z.object({ sessionId, wrappedKey: z.string(), expiresAt: z.number() });

export interface Session {
  readonly sessionId: SessionId;
  /** AES-256-GCM key, base64. */
  readonly key: Transient<string>;
}

/**
 * Sessions of a person and a device, each with a key of its own that exists only wrapped. The table has no backups:
 * when the row is deleted, what was sealed under the key is noise.
 */
export class SessionStore {
  readonly #sessions: Table;
  readonly #sealer: RingSealer;

  constructor(sessions: Table, sealer: RingSealer) {
    this.#sessions = sessions;
    this.#sealer = sealer;
  }

  /** The device's session, made when there is none (any more). */
  async resume(user: UserId, device: DeviceId, nowMs: number): Promise<Session> {
    const key = sessionsKey.session(user, device);
    const expiresAt = nowMs + sessionLifeMs;
    const life = {
      set: [
        [["expiresAt"], expiresAt],
        [["ttl"], Math.ceil(expiresAt / 1000)],
      ],
    } as const;
    const alive = { path: ["expiresAt"], is: ">", value: nowMs } as const;
    const kept = await this.#sessions.update(key, life, alive);
    if (kept) return this.#open(user, device, sessionRow.parse(kept));
    const made = await this.#make(user, device, expiresAt);
    const placed = await this.#sessions.put(
      { ...key, ...made.row, expiryShard: shardOf("session", device), ttl: Math.ceil(expiresAt / 1000) },
      { any: [{ absent: ["pk"] }, { path: ["expiresAt"], is: "<=", value: nowMs }] },
    );
    if (placed) return made.session;
    // Two connections of one device said hello at once and the other was first: its session is the session.
    const other = await this.#sessions.get(key);
    if (!other) throw new ScoutsError("conflict");
    return this.#open(user, device, sessionRow.parse(other));
  }

  /** Ends the session and with it the readability of everything sealed under it. */
  async end(user: UserId, device: DeviceId): Promise<void> {
    await this.#sessions.delete(sessionsKey.session(user, device));
  }

  async #make(user: UserId, device: DeviceId, expiresAt: number) {
    const id = sessionId.parse(`ses_${newUlid()}`);
    const key = new Transient(randomBytes(keyBytes).toString("base64"));
    const wrappedKey = await this.#sealer.seal(key, context(user, device, id));
    return { session: { sessionId: id, key }, row: { sessionId: id, wrappedKey, expiresAt } };
  }

  async #open(user: UserId, device: DeviceId, row: z.infer<typeof sessionRow>): Promise<Session> {
    const key = await this.#sealer.open(row.wrappedKey, context(user, device, row.sessionId));
    return { sessionId: row.sessionId, key };
  }
}

function context(user: UserId, device: DeviceId, session: SessionId): readonly string[] {
  return ["scouts/v1", "session", user, device, session];
}
