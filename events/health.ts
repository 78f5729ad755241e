import * as z from "zod";
import { scoutId } from "./ids.ts";
import { toldUnreached } from "./sources/unreached.ts";
import { toldCode, toldCodeOrNull, toldCounts } from "./told-code.ts";

const timestamp = z.number().int().nonnegative();
const count = z.number().int().nonnegative();

/** A model that cannot be asked for so long is news for the owner, once: before that most of it mends itself. */
export const waitingNewsMs = 86_400_000;

/** How a scout is, for its owner: codes, counts and times. `GET /api/v1/scouts/{id}/health` */
export const scoutHealth = z.object({
  scoutId,
  /** `resting`: no device of the owner was seen for long, and the next hello wakes it; `paused`: by its owner. */
  state: z.enum(["active", "disabled", "paused", "resting", "not_connected"]),
  /** Why it is disabled. */
  disabledCode: toldCodeOrNull,
  /** Since when it is in a state other than active, where that is known. */
  since: timestamp.nullable(),
  lastRunAt: timestamp.nullable(),
  lastPushAt: timestamp.nullable(),
  lastPollAt: timestamp.nullable(),
  nextRunAt: timestamp.nullable(),
  /** How often it is looked at when no news is announced, milliseconds. */
  pollEveryMs: count,
  watch: z.object({
    /** `lapsed`: news arrives by polling only. */
    state: z.enum(["active", "lapsed", "none"]),
    expiresAt: timestamp.nullable(),
    failureCode: toldCodeOrNull,
    failedAt: timestamp.nullable(),
  }),
  /** Runs that failed since the last good one. */
  failures: z.object({
    count,
    code: toldCodeOrNull,
    ...toldUnreached,
    at: timestamp.nullable(),
    /** When the first of them failed. */
    since: timestamp.nullable().default(null),
  }),
  /** Items without a verdict, by the reason they wait for. */
  backlog: z.object({ waiting: count, byCode: toldCounts, dead: count, complete: z.boolean() }),
  /**
   * The language model cannot be asked: since when, why, and how many items of this scout wait for it. Nothing new is
   * listed meanwhile, so there may be more at the source. Null while it can be asked.
   */
  waiting: z.object({ count, code: toldCode, since: timestamp }).nullable().default(null),
  /** The last stretch that could not be replayed and was searched again; `missed` when it could not be searched either. */
  gap: z.object({ from: timestamp, to: timestamp, missed: z.boolean().optional() }).nullable(),
  /** Triage tokens of the current month (UTC): this scout's, its own cap, and its owner's over all scouts. */
  tokens: z.object({
    month: z.string(),
    scout: count,
    scoutCap: count.nullable(),
    owner: count,
    ownerCap: count.nullable(),
  }),
  /**
   * Rows that cannot be read. Of a damaged account `ownerCap` is not known and null; of damaged usage the tokens are not, and 0; of
   * the model's row it is not known whether it can be asked, and `waiting` is null.
   */
  damaged: z.array(z.enum(["account", "usage", "model"])).optional(),
  /** What the source allows: share of the mailbox's burst that is free, 0 to 1. */
  quota: z.object({ unitsPerMinute: count, free: z.number().min(0).max(1) }).nullable(),
});
export type ScoutHealth = z.infer<typeof scoutHealth>;

/** Whether the language model of a home answers, as its last probe found. `known`: the models its server lists. */
export const modelState = z.object({
  ok: z.boolean(),
  code: toldCodeOrNull,
  status: z.number().int().nullable(),
  known: z.array(z.string()),
  probedAt: timestamp,
});
export type ModelState = z.infer<typeof modelState>;

/**
 * What a home on this machine says of itself to its owner, over a door of its own that asks for the owner's secret:
 * addresses and paths, so it never leaves the machine and is written nowhere.
 */
export const homeAbout = z.object({
  version: z.string(),
  dataFolder: z.string(),
  startedAt: timestamp,
  /** On this machine, or at its provider. */
  mail: z.enum(["mailbox", "account"]),
  /** The path of the mailbox the home was begun with, while its files cannot be read. */
  mailAway: z.string().optional(),
  /** Paths in any mailbox of the home that cannot be read while the rest of it can. */
  mailUnread: z.array(z.string()).optional(),
  /** Mailboxes of the home that lie in others of it: the mail in them is read, and proposed, twice. */
  mailTwice: z.array(z.object({ inner: z.string(), outer: z.string() })).optional(),
  /** `address` without credentials and query; the built-in model has none worth telling. */
  model: z.object({
    name: z.string(),
    address: z.string().nullable(),
    state: modelState,
    /** The built-in model judges what it is sure of, and this one the rest. */
    isCascade: z.boolean().optional(),
  }),
  /** What the home has noted of the model, by which it waits for one that fails, cannot be read. */
  isModelRowDamaged: z.boolean().optional(),
  queues: z.array(z.object({ name: z.string(), waiting: count, inFlight: count })),
  /** The queues cannot be written, and nothing new is judged: their file is damaged, or its disk refuses. */
  queueTrouble: z.enum(["damaged", "refused"]).optional(),
});
export type HomeAbout = z.infer<typeof homeAbout>;
