import { type ShardKind, shardOf } from "./keys.ts";

/** Attributes by which a row stands in the `due` index of the Ledger. */
export interface DueEntry {
  readonly dueShard?: string;
  /** Milliseconds since the epoch. */
  readonly dueAt?: number | undefined;
}

/** Attributes by which an item stands in the `recent` index of the Ledger: see `recentOf` in keys.ts. */
export interface RecentEntry {
  readonly openFor?: string;
  readonly openAt?: string | undefined;
}

/** When DynamoDB deletes a row: seconds since the epoch. */
export interface TtlEntry {
  readonly ttl?: number;
}

/** Attributes by which the sweep finds a row of Sessions, with DynamoDB's own TTL as the net. */
export interface ExpiryEntry extends TtlEntry {
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  readonly expiryShard?: string;
}

export const due = {
  /** @param of spreads rows over the shards: an id of the row */
  at: (kind: ShardKind, of: string, dueAtMs: number) => ({ dueShard: shardOf(kind, of), dueAt: dueAtMs }),
  /** What to remove for a row to leave the index. */
  attributes: ["dueShard", "dueAt"],
} as const;

export const recent = {
  entry: (of: string, openAt: string) => ({ openFor: of, openAt }),
  attributes: ["openFor", "openAt"],
} as const;

export const ttl = {
  after: (nowMs: number, seconds: number) => ({ ttl: Math.floor(nowMs / 1000) + seconds }),
} as const;

export const expiry = {
  /** For a new row. @param of spreads rows over the shards: an id of the row */
  of: (of: string, expiresAtMs: number) => ({ ...expiry.moved(expiresAtMs), expiryShard: shardOf("session", of) }),
  /** For a row that is there and lives on, or less long. */
  moved: (expiresAtMs: number) => ({ expiresAt: expiresAtMs, ttl: Math.ceil(expiresAtMs / 1000) }),
} as const;
