import type { Relation, Sender } from "../connector.ts";
import { writtenMoment } from "../written-date.ts";
import { addressesIn, decodedField, senderOf } from "./fields.ts";
import { fieldOf, fieldsOf, type HeaderField } from "./part.ts";

/** What a mail's header says of it. Of any length: `itemMetadata` bounds it. */
export interface Envelope {
  readonly subject: string;
  readonly sender: Sender;
  /** In milliseconds since 1970, as the sender says. */
  readonly sentAt: number | undefined;
  /** How far its sender's clock is ahead of UTC, in minutes; absent where that is not known. */
  readonly sentOffsetMinutes: number | undefined;
  /** When a server of the reader's took it in, as that says, in milliseconds since 1970. */
  readonly arrivedAt: number | undefined;
  readonly relation: Relation;
  readonly listId: string;
  readonly automatic: boolean;
}

/** @param ownAddress the reader's address where the source knows it; else the one the mail was delivered to counts */
export function envelopeOf(headers: readonly HeaderField[], ownAddress?: string): Envelope {
  return {
    subject: decodedField(fieldOf(headers, "subject")),
    sender: senderOf(headers),
    sentAt: writtenMoment(fieldOf(headers, "date")),
    sentOffsetMinutes: offsetIn(fieldOf(headers, "date")),
    arrivedAt: arrivedAt(headers),
    relation: relationOf(headers, ownAddress),
    listId: listIdOf(headers),
    automatic: isAutomatic(headers),
  };
}

/** Programs that fetch mail from another mailbox, long after it came there, say so (fetchmail, getmail). */
const fetched = /\bwith (?:POP3S?|IMAP4?(?:rev1)?S?)\b/i;
const mostHops = 20;

/**
 * Each server that takes a mail in writes so above what is there (RFC 5321 §4.4), its date behind the last semicolon: the first
 * of them is the last, the reader's own.
 */
function arrivedAt(headers: readonly HeaderField[]): number | undefined {
  const hops = fieldsOf(headers, "received").slice(0, mostHops);
  const taken = hops.find((hop) => !fetched.test(hop.slice(0, 2_000)));
  const at = taken?.lastIndexOf(";") ?? -1;
  return taken === undefined || at < 0 ? undefined : writtenMoment(taken.slice(at + 1));
}

/**
 * The zone of a date (RFC 5322 §3.3). UTC says nothing of where somebody is: servers write it for all who send by them, and
 * `-0000` says that nobody knows.
 */
function offsetIn(date: string): number | undefined {
  const [, sign, hours, minutes] = /\d ([+-])(\d\d):?([0-5]\d)(?!\d)/.exec(date.slice(0, 100)) ?? [];
  const ahead = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return sign === undefined || ahead === 0 ? undefined : ahead;
}

/**
 * A list that is written to (RFC 2369, List-Post) is one also for those it names; what is sent to many alike (bulk
 * senders must give List-Unsubscribe, RFC 8058) is not addressed to anybody, even if it stands in To.
 */
function relationOf(headers: readonly HeaderField[], ownAddress: string | undefined): Relation {
  const has = (name: string) => fieldOf(headers, name) !== "";
  const own = ownAddress === undefined ? [] : [ownAddress.toLowerCase()];
  const mine = [...own, ...addressesIn(headers, "Delivered-To", "X-Original-To")];
  const names = (field: string) => {
    const addressed = addressesIn(headers, field);
    return mine.some((address) => address !== "" && addressed.has(address));
  };
  const precedence = fieldOf(headers, "precedence").trim().toLowerCase();
  // A list of announcements says NO (RFC 2369 §3.4), whatever its precedence.
  const post = fieldOf(headers, "list-post").trim();
  const isWrittenTo = post === "" ? precedence === "list" : !/^no\b/i.test(post);
  const isBulk = has("list-unsubscribe") || has("list-id") || has("feedback-id") || /^(?:bulk|junk)$/.test(precedence);
  if (isBulk && !isWrittenTo) return "bulk";
  if (names("to")) return "to";
  if (names("cc")) return "cc";
  return isWrittenTo ? "list" : "unknown";
}

/** `Gardeners <gardeners.example.org>` says `gardeners.example.org`. */
function listIdOf(headers: readonly HeaderField[]): string {
  const value = decodedField(fieldOf(headers, "list-id"));
  return /<([^<>]+)>/.exec(value)?.[1] ?? value;
}

/** RFC 3834 §5; `Precedence` is older than it and still what many programs send. A list's posts are people's. */
function isAutomatic(headers: readonly HeaderField[]): boolean {
  const [submitted = ""] = fieldOf(headers, "auto-submitted")
    .trim()
    .toLowerCase()
    .split(/[\s;(]/);
  if (submitted !== "") return submitted !== "no";
  return /^(?:bulk|junk|auto_reply)$/.test(fieldOf(headers, "precedence").trim().toLowerCase());
}
