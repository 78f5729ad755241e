import { randomBytes } from "node:crypto";
import { isScoutsError, ScoutsError } from "../../events/errors.ts";
import { type DeviceId, type SessionId, sessionId, type UserId } from "../../events/ids.ts";
import { type ExpiryEntry, expiry } from "../index-entries.ts";
import { sessionsKey } from "../keys.ts";
import type { NewId } from "../ports/clock.ts";
import { changeOf } from "../ports/row-change.ts";
import type { Table } from "../ports/table.ts";
import type { RingSealer } from "../privacy/ring-sealer.ts";
import { SessionSealer } from "../privacy/session-sealer.ts";
import { Transient } from "../privacy/transient.ts";
import { noLongerAhead, stillAhead } from "../until.ts";
import { endedNote, livingSession, longestSessionMs, parseSessionRow, type SessionRow } from "./session-row.ts";

const keyBytes = 32;

/** Where ids and keys (256 bits) come from. */
export interface SessionChance {
  readonly newId: NewId;
  readonly newKey: () => Uint8Array;
}

/** Keys as they are outside of tests. */
export const newSessionKey = (): Uint8Array => randomBytes(keyBytes);

export interface Session {
  readonly sessionId: SessionId;
  /** AES-256-GCM key, base64. */
  readonly key: Transient<string>;
  /** Where frames of the session go. */
  readonly connectionId: string;
  readonly sealer: SessionSealer;
}

/**
 * Sessions of a person and a device, each with a key of its own that exists only wrapped. The table has no backups:
 * when the row is deleted, what was sealed under the key is noise.
 *
 *   hello ──▶ lives until the connection's longest life and two hours more
 *   $disconnect of the newest connection ──▶ two hours from now
 *   bye, or time over ──▶ row deleted, a note left for the sweep to delete its objects
 */
export class SessionStore {
  readonly #sessions: Table;
  readonly #sealer: () => Promise<RingSealer>;
  readonly #newId: NewId;
  readonly #newKey: () => Uint8Array;

  constructor(sessions: Table, sealer: () => Promise<RingSealer>, { newId, newKey }: SessionChance) {
    this.#sessions = sessions;
    this.#sealer = sealer;
    this.#newId = newId;
    this.#newKey = newKey;
  }

  /** The device's session, made when there is none (any more); its frames go to this connection from now on. */
  async resume(user: UserId, device: DeviceId, connectionId: string, nowMs: number): Promise<Session> {
    const key = sessionsKey.session(user, device);
    const expiresAt = nowMs + longestSessionMs;
    const change = changeOf<SessionRow & ExpiryEntry>({ set: { connectionId, ...expiry.moved(expiresAt) } });
    const alive = stillAhead(["expiresAt"], nowMs, longestSessionMs);
    const kept = await this.#sessions.update(key, change, alive);
    const resumed = kept && (await this.#openedIfReadable(user, device, parseSessionRow(kept)));
    if (resumed) return resumed;
    // A key that is wrapped by one we no longer hold opens nothing any more: the session is over.
    if (kept) await this.end(user, device, nowMs);
    const over = await this.#sessions.get(key);
    // Left before the row goes that names the session: its objects are found whatever happens in between.
    if (over) await this.#sessions.put(endedNote(user, parseSessionRow(over).sessionId, nowMs));
    const row = await this.#make(user, device, connectionId, expiresAt);
    const placed = await this.#sessions.put(
      { ...key, ...row, ...expiry.of(device, expiresAt) },
      { any: [{ absent: ["pk"] }, noLongerAhead(["expiresAt"], nowMs, longestSessionMs)] },
    );
    if (placed) return this.#opened(user, device, row);
    // Two connections of one device said hello at once and the other was first: its session is the session.
    const other = await livingSession(this.#sessions, user, device, nowMs);
    if (!other) throw new ScoutsError("conflict");
    return this.#opened(user, device, other);
  }

  /** The device's session as it is. @throws session_unknown: say hello first */
  async current(user: UserId, device: DeviceId, nowMs: number): Promise<Session> {
    const row = await livingSession(this.#sessions, user, device, nowMs);
    if (!row) throw new ScoutsError("session_unknown");
    return this.#opened(user, device, row);
  }

  /** The session something was sealed in. @throws session_ended: nothing opens it any more */
  async open(user: UserId, device: DeviceId, session: SessionId, nowMs: number): Promise<Session> {
    const row = await livingSession(this.#sessions, user, device, nowMs);
    if (row?.sessionId !== session) throw new ScoutsError("session_ended");
    return this.#opened(user, device, row);
  }

  /** Ends the session and with it the readability of everything sealed under it. */
  async end(user: UserId, device: DeviceId, nowMs: number): Promise<void> {
    const key = sessionsKey.session(user, device);
    const item = await this.#sessions.get(key);
    if (!item) return;
    const { sessionId: ended } = parseSessionRow(item);
    await this.#sessions.put(endedNote(user, ended, nowMs));
    await this.#sessions.delete(key, { path: ["sessionId"], is: "=", value: ended });
  }

  async #make(user: UserId, device: DeviceId, connectionId: string, expiresAt: number): Promise<SessionRow> {
    const id = sessionId.parse(`ses_${this.#newId()}`);
    const key = new Transient(Buffer.from(this.#newKey()).toString("base64"));
    const wrappedKey = await (await this.#sealer()).seal(key, context(user, device, id));
    return { sessionId: id, wrappedKey, connectionId, expiresAt };
  }

  async #openedIfReadable(user: UserId, device: DeviceId, row: SessionRow): Promise<Session | undefined> {
    try {
      return await this.#opened(user, device, row);
    } catch (error) {
      if (isScoutsError(error, "sealed_unreadable")) return undefined;
      throw error;
    }
  }

  async #opened(user: UserId, device: DeviceId, row: SessionRow): Promise<Session> {
    const { sessionId: id, wrappedKey, connectionId } = row;
    const key = await (await this.#sealer()).open(wrappedKey, context(user, device, id)).catch(keyTakenAway);
    return { sessionId: id, key, connectionId, sealer: new SessionSealer(id, key) };
  }
}

/** A key that left the ring ended what it had wrapped, which nobody mends: a session is begun anew. @throws sealed_unreadable */
function keyTakenAway(error: unknown): never {
  throw isScoutsError(error, "sealing_key_unknown") ? new ScoutsError("sealed_unreadable", { cause: error }) : error;
}

function context(user: UserId, device: DeviceId, session: SessionId): readonly string[] {
  return ["scouts/v1", "session", user, device, session];
}
