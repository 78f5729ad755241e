import { createHash } from "node:crypto";
import type { DeviceId, FileName, IndexId, ItemRef, RunId, ScoutId, TrialId, UserId } from "../events/ids.ts";
import type { Key } from "./ports/table.ts";

/** Every key of both tables. Nobody builds one by hand elsewhere. */
export const ledgerKey = {
  user: (user: UserId): Key => ({ pk: `USER#${user}`, sk: "PROFILE" }),
  scout: (user: UserId, scout: ScoutId): Key => ({ pk: `USER#${user}`, sk: `SCOUT#${scout}` }),
  vault: (user: UserId, scout: ScoutId): Key => ({ pk: `USER#${user}`, sk: `VAULT#${scout}` }),
  /** Held while a scout is being put on a source, which is named blinded. */
  sourceHold: (user: UserId, blindAddress: string): Key => ({ pk: `USER#${user}`, sk: `HOLD#${blindAddress}` }),
  item: (user: UserId, scout: ScoutId, ref: ItemRef): Key => ({ pk: `USER#${user}`, sk: `ITEM#${scout}#${ref}` }),
  run: (user: UserId, run: string): Key => ({ pk: `USER#${user}`, sk: `RUN#${run}` }),
  /** Tokens of a feature (shared/billing/tiers.ts) in a month, `yyyy-mm`. */
  usage: (user: UserId, month: string, feature: string): Key => ({
    pk: `USER#${user}`,
    sk: `USAGE#${month}#${feature}`,
  }),
  /** Never written: reading it shows that the table can be read. */
  health: (): Key => ({ pk: "HEALTH", sk: "META" }),
  /** Whether the language model can be asked; one for a deployment. */
  breaker: (): Key => ({ pk: "BREAKER#model", sk: "META" }),
  mailbox: (blindAddress: string): Key => ({ pk: `MAILBOX#${blindAddress}`, sk: "META" }),
};

export const ledgerPrefix = {
  scouts: "SCOUT#",
  items: "ITEM#",
  itemsOf: (scout: ScoutId) => `ITEM#${scout}#`,
  runs: "RUN#",
};

export const sessionsKey = {
  session: (user: UserId, device: DeviceId): Key => ({ pk: `USER#${user}`, sk: `SESSION#${device}` }),
  /** A session that has ended: its objects are still to be deleted. */
  ended: (user: UserId, session: string): Key => ({ pk: `USER#${user}`, sk: `ENDED#${session}` }),
  /** A scan's summaries, and one file of them. */
  index: (user: UserId, index: IndexId): Key => ({ pk: `USER#${user}`, sk: `INDEX#${index}` }),
  indexedFile: (user: UserId, index: IndexId, file: FileName): Key => ({
    pk: `USER#${user}`,
    sk: `INDEXED#${index}#${file}`,
  }),
  /** A trial of another purpose, and what came of one item in it. */
  trial: (user: UserId, trial: TrialId): Key => ({ pk: `USER#${user}`, sk: `TRIAL#${trial}` }),
  triedItem: (user: UserId, trial: TrialId, ref: ItemRef): Key => ({
    pk: `USER#${user}`,
    sk: `TRIED#${trial}#${ref}`,
  }),
  agentRun: (user: UserId, run: RunId): Key => ({ pk: `USER#${user}`, sk: `AGENT#${run}` }),
  connection: (user: UserId, connectionId: string): Key => ({ pk: `USER#${user}`, sk: `CONN#${connectionId}` }),
  ticket: (jti: string): Key => ({ pk: `TICKET#${jti}`, sk: "META" }),
  /** Never written: reading it shows that the table can be read. */
  health: (): Key => ({ pk: "HEALTH", sk: "META" }),
  rate: (user: UserId, of: "api" | "frames" | "uploads"): Key => ({ pk: `USER#${user}`, sk: `RATE#${of}` }),
  idempotency: (user: UserId, digest: string): Key => ({ pk: `USER#${user}`, sk: `IDEMPOTENCY#${digest}` }),
  consent: (state: string): Key => ({ pk: `CONSENT#${state}`, sk: "META" }),
};

/** Under which everything of a person lies in Sessions. */
export const sessionsOf = (user: UserId): string => `USER#${user}`;

export const sessionsPrefix = {
  connections: "CONN#",
  sessions: "SESSION#",
  ended: "ENDED#",
  runs: "AGENT#",
  trials: "TRIAL#",
  triedItemsOf: (trial: TrialId) => `TRIED#${trial}#`,
  indexedFilesOf: (index: IndexId) => `INDEXED#${index}#`,
};

/** The scout whose row a key is of: the inverse of `ledgerKey.scout`. */
export const scoutOfKey = ({ sk }: Pick<Key, "sk">): string => sk.slice(ledgerPrefix.scouts.length);

/** The person and the item a key belongs to: the inverse of `ledgerKey.item`. */
export function splitItemKey(key: Key): { userId: string; scoutId: string; ref: string } {
  const [, scoutId = "", ...ref] = key.sk.split("#");
  return { userId: key.pk.slice("USER#".length), scoutId, ref: ref.join("#") };
}

/**
 * Hash keys of the `recent` index: a person's open proposals, oldest first, and what a scout has judged as spam. A
 * restored item moves from the one to the other by the write that restores it.
 */
export const recentOf = {
  proposals: (user: UserId): string => user,
  spam: (scout: ScoutId): string => `SPAM#${scout}`,
};

/** The person, month and feature of a usage row: the inverse of `ledgerKey.usage`. */
export function splitUsageKey(key: Key): { userId: string; month: string; feature: string } {
  const [, month = "", feature = ""] = key.sk.split("#");
  return { userId: key.pk.slice("USER#".length), month, feature };
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

export type ShardKind = "scout" | "item" | "session" | "usage";

/** The shard that an entry is written to, always the same for the same id. @param of the id */
export function shardOf(kind: ShardKind, of: string): string {
  const first = createHash("sha256").update(of).digest()[0] ?? 0;
  return `${kind}#${first % shards}`;
}

/** All shards of a kind: who reads an index asks each of them. */
export function shardsOf(kind: ShardKind): string[] {
  return Array.from({ length: shards }, (_, shard) => `${kind}#${shard}`);
}
