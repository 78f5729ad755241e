import * as z from "zod";
import { errorCodes } from "./error-kinds.ts";
import { itemHeader } from "./frames.ts";
import { itemRef, scoutId, userId } from "./ids.ts";
import { keptReasons } from "./verdict.ts";

/**
 * What a scout is told about its source when it is made, by names the source's connector has a schema for. Sources that
 * are connected by a consent need none. In the cloud they exist sealed only.
 */
export const sourceSettings = z.record(
  z.string().regex(/^[a-z][A-Za-z0-9]{0,31}$/),
  z.union([z.string().max(4096), z.number(), z.boolean(), z.array(z.string().max(1024)).max(100)]),
);
export type SourceSettings = z.infer<typeof sourceSettings>;

/**
 * Why nothing could be read at a source, in `data.reason` of `source_unavailable`, where that is known. Whoever shows it has a sentence
 * for each; none repeats a word of the source's.
 */
export const unreachedReasons = [
  /** Its server's name leads to no address. */
  "name",
  /** Nothing listens at the port. */
  "port",
  /** No way leads to the address from the home. */
  "route",
  /** It has not answered in time. */
  "slow",
  /** It takes the connection and says nothing, where a server of its kind speaks first. */
  "silent",
  /** It ends the connection before it has answered. */
  "cut",
  /** It speaks nothing but TLS at the port, and was not asked to. */
  "encrypted",
  /** It was asked for TLS and speaks none. */
  "plain",
  /** Its certificate is not valid. */
  "certificate",
  /** A server of another kind answers there: a web server in place of one of mail, say. */
  "other",
  /** There is nothing at the address (HTTP 404). */
  "missing",
  /** What is there is not for everybody, or not for programs (HTTP 403). */
  "denied",
  /** It answers with another status of HTTP, in `data.status`. */
  "status",
] as const;
export type UnreachedReason = (typeof unreachedReasons)[number];

const count = z.number().int().nonnegative();

/**
 * What a scout sees at its source, read for this answer and kept nowhere: `place` is a name (an account, a title, a path)
 * and `folders` are those of it that are read, none where it has none, `missing` those that are to be read and are not there; whoever
 * shows them makes the sentence. Counts are `null` where the source does not tell them. `push` says whether the source tells of news: `soon` until that has been asked of it, `off` when that failed
 * (`pushCode` says how), `never` where it cannot.
 */
export const sourceSees = z.object({
  place: z.string(),
  folders: z.array(z.string()),
  missing: z.array(z.string()).default([]),
  items: count.nullable(),
  unread: count.nullable(),
  pollEveryMs: z.number().positive(),
  push: z.enum(["on", "off", "soon", "never"]),
  pushCode: z.enum(errorCodes).nullable(),
});
export type SourceSees = z.infer<typeof sourceSees>;

/**
 * What one function asks of another that alone can speak to a source: in memory from end to end, never on a queue. Whose
 * access it is, the called function opens by itself; only settings that nobody has kept yet travel with the call.
 */
const own = z.record(z.string(), z.string());

export const sourceCall = z.object({
  v: z.literal(1),
  sourceType: z.string(),
  scout: z.object({ userId, scoutId }),
  ask: z.discriminatedUnion("what", [
    z.object({ what: z.literal("verify"), given: sourceSettings, own: own.optional() }),
    z.object({ what: z.literal("sees") }),
    z.object({ what: z.literal("cursor") }),
    z.object({ what: z.literal("list"), cursor: z.string(), page: z.string().optional() }),
    z.object({ what: z.literal("metadata"), refs: z.array(itemRef).max(100) }),
    z.object({ what: z.literal("content"), ref: itemRef }),
    z.object({ what: z.literal("granted") }),
    z.object({ what: z.literal("archive"), ref: itemRef, state: z.string() }),
    z.object({ what: z.literal("restore"), ref: itemRef }),
    z.object({ what: z.literal("letGo") }),
  ]),
});
export type SourceCall = z.infer<typeof sourceCall>;
export type SourceAsk = SourceCall["ask"];

/** A failure by its code and the facts that are safe to say. */
const failed = z.object({
  code: z.enum(errorCodes),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** With `source_folder_unknown`: which; for an answer to their owner. */
  folders: z.array(z.string()).optional(),
});

const carriedSees = z.object({
  place: z.string(),
  folders: z.array(z.string()),
  missing: z.array(z.string()).default([]),
  items: z.number().optional(),
  unread: z.number().optional(),
});

/**
 * What the form of a mail tells of it and its text does not: how it came, where its links lead. Codes and not content: none repeats
 * a word of the mail.
 */
export const mailTraits = [
  /** It names a mail it answers (RFC 5322, In-Reply-To and References). */
  "answers",
  /** Pictures, a link and hardly a word. */
  "picture",
  /** All its links lead to its sender's site. */
  "own_links",
  /** It has few links, and none leads there; of what is not sent to many, by who has a site. */
  "foreign_links",
  /** A link to a site whose ending costs next to nothing. */
  "rare_host",
  /** A link to a site anybody may put up within minutes, or through a shortener. */
  "borrowed_host",
  /** A link to an address of numbers. */
  "number_host",
  /** A link with a user name or a port. */
  "odd_link",
  /** Boxes to type into within the mail. */
  "asks_input",
  /** Marked as urgent (Importance, X-Priority). */
  "urgent",
  /** To and Cc name nobody. */
  "no_recipient",
  /** Answers go to a free mailbox at another provider than the sender's. */
  "free_reply",
  /** It came to the reader's servers straight from a private connection. */
  "home_sender",
  /** The server that took it in found that its sender is not who it says (RFC 8601). */
  "failed_check",
  /** That server looked for a signature (RFC 6376) and found none that holds. */
  "unsigned",
  /** A mail system reports that a mail was not delivered (RFC 3464); what it quotes is another's. */
  "undelivered",
] as const;

export type MailTrait = (typeof mailTraits)[number];

const metadata = z.object({
  subject: z.string(),
  sender: z.object({ name: z.string(), address: z.string() }),
  snippet: z.string(),
  receivedAtMs: z.number(),
  sentAt: z.number().optional(),
  sentOffsetMinutes: z.number().optional(),
  arrivedAt: z.number().optional(),
  relation: z.enum(["to", "cc", "list", "bulk", "unknown"]),
  threadRef: z.string().optional(),
  attachments: z.array(z.object({ name: z.string(), sizeBytes: z.number() })).optional(),
  listId: z.string().optional(),
  automatic: z.boolean(),
  sourceLink: z.string().optional(),
  present: z.boolean(),
  state: z.string().optional(),
});
export type CarriedMetadata = z.infer<typeof metadata>;

/** The answer to a {@link sourceCall}, under the name of what was asked; content among it, so it is written down nowhere. */
export const sourceReply = z.object({
  v: z.literal(1),
  answer: z.discriminatedUnion("what", [
    z.object({ what: z.literal("failed"), failed }),
    z.object({
      what: z.literal("verify"),
      sees: carriedSees,
      identity: z.string(),
      alsoKnownAs: z.array(z.string()).optional(),
      own: own.optional(),
      cursor: z.string(),
    }),
    z.object({ what: z.literal("sees"), sees: carriedSees }),
    z.object({ what: z.literal("cursor"), cursor: z.string() }),
    z.object({
      what: z.literal("list"),
      refs: z.array(itemRef),
      nextPage: z.string().optional(),
      cursor: z.string().optional(),
      gap: z.object({ fromMs: z.number(), toMs: z.number() }).optional(),
      lacks: z.enum(errorCodes).optional(),
    }),
    z.object({
      what: z.literal("metadata"),
      items: z.array(z.union([z.object({ read: metadata }), z.object({ failed })])),
    }),
    z.object({
      what: z.literal("content"),
      read: metadata,
      header: itemHeader.optional(),
      text: z.string(),
      otherText: z.string().optional(),
      // A newer function may name traits that this one has no word for: the mail is judged without.
      traits: z.array(z.enum(mailTraits)).optional().catch(undefined),
      machineParts: z.object({ calendars: z.array(z.string()), linkedData: z.array(z.string()) }).optional(),
    }),
    z.object({ what: z.literal("granted"), granted: z.boolean() }),
    z.object({ what: z.literal("archive"), outcome: z.enum(["archived", "there", ...keptReasons]) }),
    z.object({ what: z.literal("restore") }),
    z.object({ what: z.literal("letGo") }),
  ]),
});
export type SourceReply = z.infer<typeof sourceReply>;
export type SourceAnswer = SourceReply["answer"];
