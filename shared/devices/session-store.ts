import { randomBytes } from "node:crypto";
import { isScoutsError, ScoutsError } from "../../events/errors.ts";
import { type DeviceId, type SessionId, sessionId, type UserId } from "../../events/ids.ts";
import { type ExpiryEntry, expiry } from "../index-entries.ts";
import { sessionsKey } from "../keys.ts";
import type { NewId } from "../ports/clock.ts";
import { changeOf } from "../ports/row-change.ts";
import type { Condition, Item, Scalar, Table, Value } from "../ports/table.ts";
import type { RingSealer } from "../privacy/ring-sealer.ts";
import { SessionSealer } from "../privacy/session-sealer.ts";
import { Transient } from "../privacy/transient.ts";
import { noLongerAhead, stillAhead } from "../until.ts";
import {
  endedNote,
  isLiving,
  livingSession,
  longestSessionMs,
  parseSessionRow,
  type SessionRow,
} from "./session-row.ts";

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
    const resumed = kept && (await this.#openedIfReadable(user, device, kept));
    if (resumed) return resumed;
    // Nothing opens it any more: the session is over.
    if (kept) await this.#endRow(user, kept, nowMs);
    const over = await this.#sessions.get(key);
    // Another connection of the device may have begun one since, which is nobody's to end.
    if (over && !isLiving(over, nowMs)) await this.#endRow(user, over, nowMs);
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
    const item = await this.#sessions.get(sessionsKey.session(user, device));
    if (item) await this.#endRow(user, item, nowMs);
  }

  /** The note is left before the row goes that names the session: its objects are found whatever happens in between. */
  async #endRow(user: UserId, row: Item, nowMs: number): Promise<void> {
    const ended = sessionId.safeParse(row["sessionId"]);
    if (ended.success) await this.#sessions.put(endedNote(user, ended.data, nowMs));
    await this.#sessions.delete(
      { pk: row.pk, sk: row.sk },
      { all: [unchanged(row, "sessionId"), unchanged(row, "wrappedKey")] },
    );
  }

  async #make(user: UserId, device: DeviceId, connectionId: string, expiresAt: number): Promise<SessionRow> {
    const id = sessionId.parse(`ses_${this.#newId()}`);
    const key = new Transient(Buffer.from(this.#newKey()).toString("base64"));
    const wrappedKey = await (await this.#sealer()).seal(key, context(user, device, id));
    return { sessionId: id, wrappedKey, connectionId, expiresAt };
  }

  /**
   * Undefined when it is wrapped by a key we no longer hold, or its row is damaged: sessions have no backups that somebody could mend
   * one from, and its device has lost nothing by a new one.
   */
  async #openedIfReadable(user: UserId, device: DeviceId, row: Item): Promise<Session | undefined> {
    try {
      return await this.#opened(user, device, parseSessionRow(row));
    } catch (error) {
      if (isScoutsError(error, "sealed_unreadable") || isScoutsError(error, "row_damaged")) return undefined;
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

/** That a row still says the same, also where it says something of another form. */
function unchanged(row: Item, attribute: keyof SessionRow): Condition {
  const value = row[attribute];
  if (value === undefined) return { absent: [attribute] };
  return isScalar(value) ? { path: [attribute], is: "=", value } : { exists: [attribute] };
}

const isScalar = (value: Value): value is Scalar => typeof value !== "object" || value === null;

function context(user: UserId, device: DeviceId, session: SessionId): readonly string[] {
  return ["scouts/v1", "session", user, device, session];
}
