import * as z from "zod";
import { errorCodes } from "./errors.ts";
import { deviceId, itemRef, scoutId, trialId } from "./ids.ts";
import { maxUploadBytes, uploadRef } from "./payload.ts";
import { sourceSees, sourceSettings } from "./sources.ts";
import { keptReasons, shownReasonCodeSchema, spamReasonCodeSchema } from "./verdict.ts";

const timestamp = z.number().int().nonnegative();
const count = z.number().int().nonnegative();

/** The one shape of an error body. */
export const errorBody = z.object({
  error: z.object({
    code: z.enum(errorCodes),
    message: z.string(),
    data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    requestId: z.string(),
  }),
  /** With `source_account_other` of a consent: whose mailboxes, `expected` where that is known. For its owner alone. */
  accounts: z.object({ expected: z.string().nullable(), chosen: z.string() }).optional(),
});

/** `GET /health`: `?deep` looks at more than the tables. */
export const healthQuery = z.object({ deep: z.string().max(8).optional() });
export const healthResponse = z.object({
  status: z.enum(["ok", "failing"]),
  checks: z.array(
    z.object({
      name: z.enum(["tables", "queues", "vault_key_ring", "session_key_ring", "model"]),
      ok: z.boolean(),
      /** Why not. */
      code: z.enum(errorCodes).optional(),
      /** Since when, where that is known; milliseconds since the epoch. */
      since: z.number().int().nonnegative().optional(),
    }),
  ),
});
export type HealthResponse = z.infer<typeof healthResponse>;

/** Lists come in pages; `cursor` is the `nextCursor` of the page before, opaque and good for this list only. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().min(1).max(512).optional(),
});
const nextCursor = z.string().nullable();

/** `POST /api/v1/device/tickets` */
export const ticketRequest = z.object({ deviceId });
export const ticketResponse = z.object({ ticket: z.string(), expiresInSeconds: z.number().int(), socketUrl: z.url() });
export type TicketResponse = z.infer<typeof ticketResponse>;

const name = z.string().trim().min(1).max(80);
const purpose = z.string().trim().min(1).max(500);

/** `POST /api/v1/scouts` */
export const createScoutRequest = z.object({
  sourceType: z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/),
  settings: sourceSettings.optional(),
  name,
  purpose,
});
export type CreateScoutRequest = z.infer<typeof createScoutRequest>;

/** A scout as its owner sees it. Name and purpose are opened from the vault for this answer only. */
export const scoutResponse = z.object({
  id: scoutId,
  sourceType: z.string(),
  name: z.string(),
  purpose: z.string(),
  connected: z.boolean(),
  /** Whether its owner has paused it. */
  paused: z.boolean(),
  /** Whether it may move spam to Trash at the source. */
  autoTrash: z.boolean(),
  /** Senders whose items it dismisses because its owner muted them. */
  mutedSenders: count,
  /** It rests after so many days without a device of its owner. */
  pauseAfterDays: count,
  /** When it is polled: cron in UTC; `null` for every quarter of an hour. */
  schedule: z.string().nullable(),
  disabledCode: z.enum(errorCodes).nullable(),
  createdAt: timestamp,
  lastRunAt: timestamp.nullable(),
  nextRunAt: timestamp.nullable(),
});
export type ScoutResponse = z.infer<typeof scoutResponse>;

/** `POST /api/v1/scouts`: with what it sees, where no consent is needed; `null` when the same request had made it before. */
export const createdScoutResponse = scoutResponse.extend({ sees: sourceSees.nullable() });
export type CreatedScoutResponse = z.infer<typeof createdScoutResponse>;

/** A kind of source this home reads, and what it takes to connect it. */
export const sourceKind = z.object({
  source: z.string(),
  /** JSON Schema (2020-12) of what a person types; `null` where the source asks for consent on a page of its own. */
  settings: z.record(z.string(), z.unknown()).nullable(),
  /** Which of the settings are secrets. */
  secrets: z.array(z.string()),
  /** Whether spam can be moved to Trash there. */
  trash: z.boolean(),
});
export type SourceKind = z.infer<typeof sourceKind>;
/** `GET /api/v1/sources` */
export const sourceListResponse = z.object({ sources: z.array(sourceKind) });

export const scoutListResponse = z.object({ scouts: z.array(scoutResponse), nextCursor });

/** `PATCH /api/v1/scouts/{id}`: what is left out stays as it is. */
export const changeScoutRequest = z.strictObject({
  name: name.optional(),
  purpose: purpose.optional(),
  schedule: z.string().trim().min(9).max(100).nullable().optional(),
  autoTrash: z.boolean().optional(),
  /** `null` for the usual fortnight. */
  pauseAfterDays: z.number().int().min(1).max(365).nullable().optional(),
  paused: z.boolean().optional(),
  /** As whoever changes it has seen it; when any of it is otherwise by now, nothing is changed (`conflict`). */
  was: z
    .strictObject({
      name: z.string().optional(),
      purpose: z.string().optional(),
      schedule: z.string().nullable().optional(),
      autoTrash: z.boolean().optional(),
      pauseAfterDays: z.number().optional(),
    })
    .optional(),
});
export type ChangeScoutRequest = z.infer<typeof changeScoutRequest>;

/** `POST /api/v1/scouts/{id}/reconnect`: settings that are other than they were; the rest stays as it is. */
export const reconnectRequest = z.strictObject({ settings: sourceSettings.default({}) });
/** What a scout sees at its source now. */
export const seesResponse = z.object({ sees: sourceSees });

/** `POST /api/v1/scouts/{id}/mute`: what comes from an address is dismissed from now on, or is judged again. */
export const muteRequest = z.strictObject({
  address: z.string().trim().min(1).max(320),
  muted: z.boolean().default(true),
});
/** How many senders of the scout are muted; who they are is kept nowhere. */
export const muteResponse = z.object({ mutedSenders: count });

/**
 * One run of a scout: what it listed. `at` is when it ended; `held` covers a wait in which nothing was listed, because of
 * `code`. Runs that found nothing leave no trace.
 */
export const scoutRun = z.object({
  id: z.string(),
  scoutId,
  at: timestamp,
  outcome: z.enum(["complete", "continued", "overtaken", "held"]),
  /** Items that were listed and queued to be judged, and the pages they came on. */
  queued: count,
  pages: count,
  durationMs: count,
  code: z.enum(errorCodes).nullable(),
});
export type ScoutRunResponse = z.infer<typeof scoutRun>;
/** `GET /api/v1/scouts/{id}/runs`: newest first, of the last thirty days. */
export const runListResponse = z.object({ runs: z.array(scoutRun), nextCursor });

/** `DELETE /api/v1/scouts/{id}` when there is more to remove than fits one request: ask again. */
export const deletionResponse = z.object({ deleted: z.literal(false) });

/** `POST /api/v1/scouts/{id}/run` */
export const runResponse = z.object({ queued: z.literal(true) });

/** What the source shows of a dismissed item, read for this answer and kept nowhere, or why it was not read. */
export const dismissedAtSource = z.union([
  z.object({ sender: z.object({ name: z.string(), address: z.string() }), subject: z.string(), receivedAt: timestamp }),
  z.object({ code: z.enum(errorCodes) }),
]);
export type DismissedAtSource = z.infer<typeof dismissedAtSource>;

/** A page of dismissed items; with `source=read` each is read at its source, within what the source allows. */
export const spamQuery = pageQuery.extend({ source: z.enum(["read", "skip"]).default("skip") });

/** An item judged as spam: ids, codes and times. Confidence is 0 to 1. */
export const spamItem = z.object({
  ref: itemRef,
  reasonCode: spamReasonCodeSchema,
  confidence: z.number(),
  triagedAt: timestamp,
  trashedAt: timestamp.nullable(),
  keptBecause: z.enum(keptReasons).nullable(),
  /** Only when it was asked for. */
  atSource: dismissedAtSource.optional(),
});

/** `GET /api/v1/scouts/{id}/spam`: newest first. */
export const spamListResponse = z.object({ items: z.array(spamItem), nextCursor });
export type SpamListResponse = z.infer<typeof spamListResponse>;

/** What keeps an item without a verdict: it waits, was set aside, or is shown to its owner as it is. */
export const shownItemStatus = z.enum(["dead", "deferred", "failed", "unjudged"]);
export type ShownItemStatus = z.infer<typeof shownItemStatus>;

/** `GET /api/v1/items`: a page may be empty although more follow. */
export const itemsQuery = pageQuery.extend({ status: shownItemStatus.optional(), scout: scoutId.optional() });

/** An item without a verdict: ids, codes and times. `nextLookAt` is when it is tried by itself, where it is. */
export const shownItem = z.object({
  scoutId,
  ref: itemRef,
  status: shownItemStatus,
  code: z.enum(errorCodes).nullable(),
  since: timestamp.nullable(),
  attempts: z.number().int().nonnegative(),
  nextLookAt: timestamp.nullable(),
});
export type ShownItem = z.infer<typeof shownItem>;
export const itemListResponse = z.object({ items: z.array(shownItem), nextCursor });
export type ItemListResponse = z.infer<typeof itemListResponse>;

/** `POST /api/v1/items/redrive`: these refs, all of a code, or all; of every scout or of one. */
export const redriveRequest = z
  .strictObject({
    refs: z.array(itemRef).min(1).max(50).optional(),
    code: z.enum(errorCodes).optional(),
    all: z.literal(true).optional(),
    scoutId: scoutId.optional(),
    /** The `nextCursor` of the answer before, to go on; not with refs. */
    cursor: z.string().min(1).max(512).optional(),
  })
  .refine(({ refs, code, all, cursor }) => {
    const ways = [refs, code, all].filter((way) => way !== undefined);
    return ways.length === 1 && !(refs && cursor !== undefined);
  });
/** How many are judged anew, and how many stay as they are; with a cursor, not all were looked at yet. */
export const redriveResponse = z.object({
  redriven: z.number().int().nonnegative(),
  refused: z.number().int().nonnegative(),
  nextCursor,
});
export type RedriveResponse = z.infer<typeof redriveResponse>;

/**
 * `POST /api/v1/scouts/{id}/gmail/connect`: the device made a PKCE pair (RFC 7636) and listens on a loopback port
 * (RFC 8252 §7.3); it keeps the verifier.
 */
export const connectRequest = z.object({
  deviceId,
  codeChallenge: z.string().regex(/^[\w-]{43}$/),
  loopbackPort: z.number().int().min(1024).max(65_535),
  /** Asks for the right to move spam to Trash as well; only when the person turns that on. */
  autoTrash: z.boolean().default(false),
});
export type ConnectRequest = z.infer<typeof connectRequest>;
export const connectResponse = z.object({ consentUrl: z.url(), expiresInSeconds: z.number().int() });

/** `POST /api/v1/scouts/{id}/gmail/complete`: what the loopback port received, with the verifier. */
export const completeRequest = z.object({
  deviceId,
  state: z.string().min(1).max(1024),
  code: z.string().min(1).max(2048),
  codeVerifier: z.string().regex(/^[\w.~-]{43,128}$/),
  /** Refuses another account than the one the scout reads already. */
  sameAccount: z.boolean().default(false),
});
export type CompleteRequest = z.infer<typeof completeRequest>;

/** `POST /api/v1/uploads`: room for so many sealed objects of exactly these sizes in bytes, in the device's session. */
export const uploadsRequest = z.object({
  deviceId,
  sizes: z.array(z.number().int().min(1).max(maxUploadBytes)).min(1).max(20),
});
/** A presigned POST each, in the order of the sizes: send `fields` and then the bytes as `file`, in one form. */
export const uploadsResponse = z.object({
  uploads: z.array(z.object({ ref: uploadRef, url: z.url(), fields: z.record(z.string(), z.string()) })),
  expiresInSeconds: z.number().int(),
});
export type UploadsResponse = z.infer<typeof uploadsResponse>;

const tier = z.enum(["free", "pro", "power", "team"]);

/** `POST /api/v1/billing/quota/check`: whether a folder of that size may be linked and scanned, as things stand. */
export const quotaCheckRequest = z.object({
  feature: z.literal("folder_index"),
  estimated_files: count,
  estimated_tokens: count,
});
/** It may. `null` limits are none; `used` counts what is set aside as well. */
export const quotaCheckResponse = z.object({
  tier,
  maxFiles: count.nullable(),
  monthlyTokens: count.nullable(),
  used: count,
  resetsAt: timestamp,
});
export type QuotaCheckResponse = z.infer<typeof quotaCheckResponse>;

/** Tokens of a feature this month: `committed` is `used` and what is set aside for work under way. */
export const featureUsage = z.object({
  feature: z.enum(["triage", "folder_index", "agents"]),
  used: count,
  committed: count,
  limit: count.nullable(),
  /** Committed by each scout or project, most first. */
  within: z.array(z.object({ id: z.string(), tokens: count })),
});
/** `GET /api/v1/usage`: a calendar month in UTC, `yyyy-mm`, and when the next one begins. */
export const usageResponse = z.object({
  tier,
  month: z.string().regex(/^\d{4}-\d{2}$/),
  resetsAt: timestamp,
  features: z.array(featureUsage),
});
export type UsageResponse = z.infer<typeof usageResponse>;

/** Items a trial looks at, at most. */
export const maxTrialItems = 50;

/** `POST /api/v1/scouts/{id}/trials`: sent again with the same id it starts no second one. */
export const startTrialRequest = z.strictObject({
  trialId,
  purpose,
  /** The scout's newest verdicts are those looked at again. */
  last: z.number().int().min(1).max(maxTrialItems).default(maxTrialItems),
});

/** `GET /api/v1/scouts/{id}/trials/{trial}`: with `source=read` what changes carries sender and subject. */
export const trialQuery = z.object({ source: z.enum(["read", "skip"]).default("skip") });

export const trialVerdict = z.enum(["relevant", "spam"]);

/** One item: the verdict it has, and the one it would have. */
export const trialItem = z.object({
  ref: itemRef,
  before: z.object({ verdict: trialVerdict, reasonCode: shownReasonCodeSchema }),
  /** `null` while it is not judged, and where it cannot be. Confidence is 0 to 1. */
  after: z.object({ verdict: trialVerdict, reasonCode: shownReasonCodeSchema, confidence: z.number() }).nullable(),
  /** Why it cannot be judged. */
  code: z.enum(errorCodes).nullable(),
  /** Only when it was asked for, and of items whose verdict would change. */
  atSource: dismissedAtSource.optional(),
});
export type TrialItem = z.infer<typeof trialItem>;

/** A trial as it stands: ids, codes, counts and times. Newest verdict first. */
export const trialResponse = z.object({
  id: trialId,
  scoutId,
  status: z.enum(["running", "completed"]),
  startedAt: timestamp,
  /** Results are kept until then. */
  expiresAt: timestamp,
  /** Items it looks at, and how many have their result. */
  total: count,
  judged: count,
  /** What came of those: proposed although dismissed before, dismissed although proposed, as before, not to be judged. */
  newlyProposed: count,
  newlyDismissed: count,
  unchanged: count,
  failed: count,
  tokensUsed: count,
  items: z.array(trialItem),
});
export type TrialResponse = z.infer<typeof trialResponse>;
