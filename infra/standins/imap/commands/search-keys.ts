import { fieldsIn, fieldValue } from "../mime/header.ts";
import { parseMessage } from "../mime/part.ts";
import type { Message } from "../store/message.ts";
import { parseDay } from "../wire/dates.ts";
import { includes, parseSequenceSet } from "../wire/sequence-set.ts";
import { numberOf, SyntaxFault, textOf, type Value, wordOf } from "../wire/values.ts";

/** Whether a message is looked for, by its number in the folder. */
export type Matches = (message: Message, number: number) => boolean;

/** What numbers a search may mean by `*`. */
export interface Highest {
  readonly number: number;
  readonly uid: number;
}

const dayMs = 86_400_000;
const flagged =
  (flag: string): Matches =>
  ({ flags }) =>
    flags.has(flag);
const not =
  (matches: Matches): Matches =>
  (message, number) =>
    !matches(message, number);

const plainKeys: Readonly<Record<string, Matches>> = {
  ALL: () => true,
  ANSWERED: flagged("\\Answered"),
  DELETED: flagged("\\Deleted"),
  DRAFT: flagged("\\Draft"),
  FLAGGED: flagged("\\Flagged"),
  SEEN: flagged("\\Seen"),
  UNANSWERED: not(flagged("\\Answered")),
  UNDELETED: not(flagged("\\Deleted")),
  UNDRAFT: not(flagged("\\Draft")),
  UNFLAGGED: not(flagged("\\Flagged")),
  UNSEEN: not(flagged("\\Seen")),
  NEW: () => false,
  OLD: () => true,
  RECENT: () => false,
};

const headerKeys = ["BCC", "CC", "FROM", "SUBJECT", "TO"];

/** All keys of a search: a message has to match each (RFC 3501 §6.4.4). @throws SyntaxFault */
export function parseKeys(words: readonly Value[], highest: Highest): Matches {
  const left = [...words];
  const keys: Matches[] = [];
  while (left.length > 0) keys.push(nextKey(left, highest));
  return (message, number) => keys.every((matches) => matches(message, number));
}

/** Takes a key with what belongs to it from the front. */
function nextKey(left: Value[], highest: Highest): Matches {
  const first = left.shift();
  if (first?.kind === "list") return parseKeys(first.items, highest);
  const key = wordOf(first);
  const plain = plainKeys[key];
  if (plain !== undefined) return plain;
  if (headerKeys.includes(key)) return inHeader(key.toLowerCase(), textOf(left.shift()));
  switch (key) {
    case "NOT":
      return not(nextKey(left, highest));
    case "OR": {
      const [one, other] = [nextKey(left, highest), nextKey(left, highest)];
      return (message, number) => one(message, number) || other(message, number);
    }
    case "UID": {
      const set = parseSequenceSet(textOf(left.shift()), highest.uid);
      if (set === undefined) throw new SyntaxFault("That is no set of UIDs");
      return ({ uid }) => includes(set, uid);
    }
    case "MODSEQ":
      return sinceModseq(left);
    case "HEADER": {
      const name = textOf(left.shift()).toLowerCase();
      return inHeader(name, textOf(left.shift()));
    }
    case "KEYWORD":
      return flagged(textOf(left.shift()));
    case "UNKEYWORD":
      return not(flagged(textOf(left.shift())));
    case "LARGER": {
      const bytes = numberOf(left.shift());
      return ({ raw }) => raw().length > bytes;
    }
    case "SMALLER": {
      const bytes = numberOf(left.shift());
      return ({ raw }) => raw().length < bytes;
    }
    case "TEXT": {
      const wanted = textOf(left.shift()).toLowerCase();
      return ({ raw }) => raw().toString("utf8").toLowerCase().includes(wanted);
    }
    case "BODY": {
      const wanted = textOf(left.shift()).toLowerCase();
      return ({ raw }) => {
        const bytes = raw();
        return bytes.toString("utf8", parseMessage(bytes).bodyStart).toLowerCase().includes(wanted);
      };
    }
    default:
      return byDayOrNumber(key, left, highest);
  }
}

/** By when a message came or says it was sent; by its number where the word is one. */
function byDayOrNumber(key: string, left: Value[], highest: Highest): Matches {
  const [, sent, when] = /^(SENT)?(BEFORE|ON|SINCE)$/.exec(key) ?? [];
  if (when === undefined) {
    const set = parseSequenceSet(key, highest.number);
    if (set === undefined) throw new SyntaxFault("That cannot be searched for");
    return (_message, number) => includes(set, number);
  }
  const day = parseDay(textOf(left.shift()));
  if (day === undefined) throw new SyntaxFault("That is no day");
  return (message) => {
    const atMs = sent === undefined ? message.internalDateMs : sentAt(message);
    if (Number.isNaN(atMs)) return false;
    if (when === "BEFORE") return atMs < day;
    return when === "SINCE" ? atMs >= day : atMs >= day && atMs < day + dayMs;
  };
}

/** `MODSEQ [entry type] n` (RFC 7162 §3.1.5). */
function sinceModseq(left: Value[]): Matches {
  const [first] = left;
  if (first?.kind === "string") left.splice(0, 2);
  const least = numberOf(left.shift());
  return ({ modseq }) => modseq >= least;
}

/** An empty text asks for the field alone. */
function inHeader(name: string, wanted: string): Matches {
  const lower = Buffer.from(wanted.toLowerCase()).toString("latin1");
  return ({ raw }) => {
    const bytes = raw();
    const fields = fieldsIn(bytes.subarray(0, parseMessage(bytes).bodyStart)).filter((field) => field.name === name);
    return fields.some(({ value }) => value.toLowerCase().includes(lower));
  };
}

const sentAt = ({ raw }: Message): number => Date.parse(fieldValue(parseMessage(raw()).fields, "date") ?? "");
