import type { ProposalId } from "../../events/ids.ts";
import type { FilePart, FilePlace } from "../actions/action-result.ts";
import type { DeviceStore } from "../store/open.ts";
import type { StoredProposal } from "../store/schema.ts";

/** A message that an answer rests on: where a person finds it. */
export interface MessageSource {
  readonly id: ProposalId;
  readonly ref: string;
  readonly subject: string;
  readonly sender: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** Where it opens at its source, as far as that has addresses. */
  readonly link: string | null;
}

/** Words an answer quotes that stand in what was shown. */
export interface HeldQuote {
  readonly text: string;
  /** Where a person finds them; null for what was shown of neither a file nor a message: a task, an earlier answer. */
  readonly place: QuotePlace | null;
}

export type QuotePlace =
  | (FilePlace & { readonly kind: "file" })
  | { readonly kind: "message"; readonly id: ProposalId; readonly subject: string };

/** What an answer says in quotation marks, held against what the device has shown for it. */
export interface Evidence {
  /** Messages whose words, sender or subject the answer gives. */
  readonly messages: readonly MessageSource[];
  /** How many quotations stand in what was shown, word for word. */
  readonly quotesHeld: number;
  /** These quotations, and where they stand; at most so many as a person looks at. */
  readonly quotes: readonly HeldQuote[];
  /** Those that do not. */
  readonly quotesMissing: readonly string[];
}

/** Shorter ones are names and titles. */
const leastWords = 3;
/** An answer with more quotations is no answer. */
const placedQuotes = 50;
/** A shorter subject stands in an answer by chance. */
const shortestSubject = 8;
const quoted = /"([^"\n]{8,})"|“([^“”\n]{8,})”|„([^„“”\n]{8,})[“”]|«([^«»\n]{8,})»/gu;

/**
 * Checks an answer's quotations. A model that makes up words puts them in quotation marks as well: what stands nowhere in
 * what it was shown, and not in the question, is said to.
 *
 * @param shown texts that were given for the answer, the person's own words among them
 * @param read proposals that were shown
 * @param parts what of these texts stands in files, and where
 */
export function evidenceOf(store: DeviceStore, answer: string, { shown, read, parts }: Shown): Evidence {
  const haystack = shown.flatMap(textsIn).map(plain).join("\n");
  const quotes = [...new Set([...answer.matchAll(quoted)].map((match) => (match.slice(1).find(Boolean) ?? "").trim()))];
  const long = quotes.filter((quote) => quote.split(/\s+/u).length >= leastWords);
  const held = long.filter((quote) => stands(quote, haystack));
  const rows = [...new Set(read)].flatMap((id) => store.proposals.find(id) ?? []);
  const messages = rows.filter((row) => isNamed(row, answer, held)).map(sourceOf);
  const placed = held.slice(0, placedQuotes).map((text) => ({ text, place: placeOf(text, parts, rows) }));
  return {
    messages,
    quotesHeld: held.length,
    quotes: placed,
    quotesMissing: long.filter((quote) => !held.includes(quote)),
  };
}

interface Shown {
  readonly shown: readonly string[];
  readonly read: readonly ProposalId[];
  readonly parts: readonly FilePart[];
}

function placeOf(quote: string, parts: readonly FilePart[], rows: readonly StoredProposal[]): QuotePlace | null {
  for (const { projectId, path, line, text } of parts) {
    const below = lineOf(quote, text);
    if (below !== undefined) return { kind: "file", projectId, path, line: line + below };
  }
  const row = rows.find((each) => stands(quote, plain(textsOf(each))));
  return row === undefined ? null : { kind: "message", id: row.id, subject: row.rawSubject ?? "" };
}

/** How many lines below the first a quotation begins; undefined where it does not stand. */
function lineOf(quote: string, text: string): number | undefined {
  const whole = plain(text);
  if (!stands(quote, whole)) return undefined;
  const at = whole.indexOf(piecesOf(quote)[0] ?? "");
  let length = 0;
  for (const [below, line] of text.split("\n").entries()) {
    // As in the whole, where a line break and what stands around it are one space.
    const own = plain(line).trim();
    if (own === "") continue;
    length += own.length + (length === 0 ? Math.max(0, whole.length - whole.trimStart().length) : 1);
    if (length > at) return below;
  }
  return 0;
}

/** A text, and what is written in it as JSON: results are lines of that. */
function textsIn(text: string): string[] {
  return [text, ...text.split("\n").flatMap((line) => (line.startsWith("{") ? stringsIn(line) : []))];
}

function stringsIn(line: string): string[] {
  const strings: string[] = [];
  try {
    JSON.parse(line, (_, value: unknown) => {
      if (typeof value === "string") strings.push(value);
      return value;
    });
  } catch {
    // A line of a file that begins like JSON: it is text as it stands.
    return [];
  }
  return strings;
}

/** Words as they are compared: a line break is a space, and quotation marks have one shape. */
const plain = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/[“”„«»]/gu, '"')
    .replace(/[‘’]/gu, "'")
    .replace(/\s+/gu, " ");

/** What a quotation leaves out, it says with dots. */
const piecesOf = (quote: string): string[] =>
  plain(quote)
    .split(/\[?(?:…|\.{3})\]?/u)
    .map((part) => part.trim().replace(/[.,;:!?]$/u, ""));

const stands = (quote: string, haystack: string): boolean => piecesOf(quote).every((piece) => haystack.includes(piece));

const textsOf = ({ rawSubject, rawSnippet, payload }: StoredProposal): string =>
  [rawSubject ?? "", rawSnippet ?? "", payload?.title ?? "", ...(payload?.quotes ?? [])].join("\n");

function isNamed(row: StoredProposal, answer: string, held: readonly string[]): boolean {
  const { id, rawSubject } = row;
  const texts = plain(textsOf(row));
  if (answer.includes(id) || held.some((quote) => stands(quote, texts))) return true;
  const subject = plain(rawSubject ?? "").trim();
  return subject.length >= shortestSubject && plain(answer).includes(subject);
}

function sourceOf({ id, sourceMsgRef, rawSubject, metadata, triagedAt }: StoredProposal): MessageSource {
  return {
    id,
    ref: sourceMsgRef,
    subject: rawSubject ?? "",
    sender: metadata?.sender.name || metadata?.sender.address || "",
    atMs: metadata?.sentAt ?? triagedAt,
    link: metadata?.sourceLink ?? null,
  };
}
