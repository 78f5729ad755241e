import { createHash } from "node:crypto";
import type { DeviceId, ItemRef, ScoutId, UserId } from "../events/ids.ts";
import type { Key } from "./ports/table.ts";

/** Every key of both tables. Nobody builds one by hand elsewhere. */
export const ledgerKey = {
  user: (user: UserId): Key => ({ pk: `USER#${user}`, sk: "PROFILE" }),
  scout: (user: UserId, scout: ScoutId): Key => ({ pk: `USER#${user}`, sk: `SCOUT#${scout}` }),
  vault: (user: UserId, scout: ScoutId): Key => ({ pk: `USER#${user}`, sk: `VAULT#${scout}` }),
  item: (user: UserId, scout: ScoutId, ref: ItemRef): Key => ({ pk: `USER#${user}`, sk: `ITEM#${scout}#${ref}` }),
  run: (user: UserId, run: string): Key => ({ pk: `USER#${user}`, sk: `RUN#${run}` }),
  mailbox: (blindAddress: string): Key => ({ pk: `MAILBOX#${blindAddress}`, sk: "META" }),
};

export const ledgerPrefix = {
  scouts: "SCOUT#",
  itemsOf: (scout: ScoutId) => `ITEM#${scout}#`,
};

export const sessionsKey = {
  session: (user: UserId, device: DeviceId): Key => ({ pk: `USER#${user}`, sk: `SESSION#${device}` }),
  connection: (user: UserId, connectionId: string): Key => ({ pk: `USER#${user}`, sk: `CONN#${connectionId}` }),
  ticket: (jti: string): Key => ({ pk: `TICKET#${jti}`, sk: "META" }),
  consent: (state: string): Key => ({ pk: `CONSENT#${state}`, sk: "META" }),
};

export const sessionsPrefix = { connections: "CONN#" };

/** The person and the item a key belongs to: the inverse of `ledgerKey.item`. */
export function splitItemKey(key: Key): { userId: string; scoutId: string; ref: string } {
  const [, scoutId = "", ...ref] = key.sk.split("#");
  return { userId: key.pk.slice("USER#".length), scoutId, ref: ref.join("#") };
}

/** Indexes of infra/storage.ts as the table port names them. */
export const ledgerIndex = {
  due: { name: "due", hash: "dueShard", range: "dueAt" },
  recent: { name: "recent", hash: "openFor", range: "openAt" },
} as const;
export const sessionsIndex = { expiry: { name: "expiry", hash: "expiryShard", range: "expiresAt" } } as const;

/**
 * A time-ordered index puts all of its writes of a moment on one partition (1,000 a second), so entries are spread over
 * a few shards, and who reads asks each.
 */
export const shards = 8;

export function shardOf(kind: "scout" | "item" | "session", of: string): string {
  const first = createHash("sha256").update(of).digest()[0] ?? 0;
  return `${kind}#${first % shards}`;
}

export function shardsOf(kind: "scout" | "item" | "session"): string[] {
  return Array.from({ length: shards }, (_, shard) => `${kind}#${shard}`);
}
