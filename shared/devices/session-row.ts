import * as z from "zod";
import { type DeviceId, deviceId, sessionId, type UserId, userId } from "../../events/ids.ts";
import { expiry } from "../index-entries.ts";
import { sessionsKey } from "../keys.ts";
import type { Item, Key, Table } from "../ports/table.ts";
import { readEach, storedRow } from "../stored-row.ts";
import { isAhead } from "../until.ts";
import { connectionLifeMs } from "./connection-store.ts";

/** A session outlives its last connection by two hours, so that it survives reconnects. */
export const sessionLifeMs = 2 * 3_600_000;

/** From a hello on: the longest life of its connection, and the two hours. */
export const longestSessionMs = connectionLifeMs + sessionLifeMs;

/** How long an offer to upload is good for. */
export const uploadOfferMs = 15 * 60_000;

const sessionRow = z.object({
  sessionId,
  wrappedKey: z.string(),
  /** The newest connection that said hello: frames of the session go there. */
  connectionId: z.string(),
  expiresAt: z.number(),
});
export type SessionRow = z.infer<typeof sessionRow>;

/** A session from its row. @throws row_damaged */
export function parseSessionRow(item: Item): SessionRow {
  return storedRow(item, (stored) => sessionRow.parse(stored));
}

/** The row of the device's session, when it has one that lives. Read consistently. */
export async function livingSession(
  sessions: Table,
  user: UserId,
  device: DeviceId,
  nowMs: number,
): Promise<SessionRow | undefined> {
  const item = await sessions.get(sessionsKey.session(user, device));
  const row = item && parseSessionRow(item);
  return row && isAhead(row.expiresAt, nowMs, longestSessionMs) ? row : undefined;
}

/** Whether a row is of a session that lives; a damaged one is of none. */
export function isLiving(item: Item, nowMs: number): boolean {
  const [row] = readEach([item], parseSessionRow).read;
  return row !== undefined && isAhead(row.expiresAt, nowMs, longestSessionMs);
}

/** Whose session a key is of: the inverse of `sessionsKey.session`. */
export function splitSessionKey({ pk, sk }: Key): { user: UserId; device: DeviceId } {
  return { user: userId.parse(pk.slice("USER#".length)), device: deviceId.parse(sk.slice("SESSION#".length)) };
}

/** Everything of a session in the transit bucket. */
export function objectPrefix(user: UserId, session: string): string {
  return `${user}/${session}/`;
}

/** A note that the session's objects are to be deleted, once nobody can upload any more. */
export function endedNote(user: UserId, session: string, nowMs: number): Item {
  return { ...sessionsKey.ended(user, session), ...expiry.of(user, nowMs + uploadOfferMs) };
}
