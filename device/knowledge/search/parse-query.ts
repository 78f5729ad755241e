import { type SearchedWord, searchedWords } from "../text/words.ts";
import { type SearchNote, searchNote } from "./search-notes.ts";

/** Words looked for in one search; more cost time and add nothing. */
export const maxWords = 48;
/** A search that is longer is a text somebody pasted: its beginning says what is meant. */
const maxChars = 20_000;

/** A word, or words in quotes, that a passage is to hold, or is not to. */
export interface Term {
  readonly words: readonly SearchedWord[];
  /** As it was typed, without quotes. */
  readonly text: string;
  /** In quotes: as it stands, in this order. */
  readonly isPhrase: boolean;
}

export interface Query {
  readonly wanted: readonly Term[];
  readonly unwanted: readonly Term[];
  /** Kinds, tags or extensions; any of them will do. */
  readonly kinds: readonly string[];
  /** A project's name or id. */
  readonly project: string | undefined;
  /** Of what has one: a proposal. */
  readonly sender: string | undefined;
  /** Changed at or after, and before; milliseconds since the epoch. */
  readonly fromMs: number | undefined;
  readonly beforeMs: number | undefined;
  /** What of the search could not be used, as sentences. */
  readonly notes: readonly SearchNote[];
}

/** One piece: a minus, a field, a value in quotes or without. Every character is looked at once. */
const piece = /(-)?(?:([A-Za-z]{2,10}):)?(?:["“„«]([^"“”„«»]*)["”»]?|([^\s"“”„«»]+))/gu;
/** What narrows a search, and cannot be turned round. */
const filters: ReadonlySet<string> = new Set(["kind", "project", "from", "before", "after"]);
const day = /^(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?$/;
/** A sign that is meant: no index has any, as it has no punctuation. */
const picture = /\p{Extended_Pictographic}/u;
/** Written as dates are: no sender is called so. */
const likeDay = /^\d{1,4}(?:[-./]\d{1,4}){1,2}$/;

/**
 * Reads what a person types: words, `"words in this order"`, `-without`, `kind:pdf`, `project:Garden`, `from:Ada` (a sender, or
 * a date), `after:2026-03`, `before:2026-06-01`. Anything else is a word; nothing is an error.
 */
export function parseQuery(typed: string): Query {
  const wanted: Term[] = [];
  const unwanted: Term[] = [];
  const kinds: string[] = [];
  const notes: SearchNote[] = [];
  let project: string | undefined;
  let sender: string | undefined;
  let fromMs: number | undefined;
  let beforeMs: number | undefined;
  const dates: Record<"after" | "before", string> = { after: "", before: "" };
  const said = new Map<string, string>();
  /** Of two that cannot both count the later one does. */
  const counts = (what: "project" | "sender" | "after" | "before", used: string) => {
    const given = said.get(what);
    if (given !== undefined && given.toLowerCase() !== used.toLowerCase())
      notes.push(searchNote("said_twice", { given, used }));
    said.set(what, used);
  };
  let words = 0;
  let left = 0;
  for (const [, minus, field, quoted, bare] of typed.slice(0, maxChars).matchAll(piece)) {
    const value = (quoted ?? bare ?? "").trim();
    const name = minus === undefined ? field?.toLowerCase() : undefined;
    const asTyped = `${field}:${value}`;
    if (name === "kind" && value !== "") kinds.push(value.toLowerCase().replace(/^\./, ""));
    else if (name === "project" && value !== "") {
      counts("project", asTyped);
      project = value;
    } else if (name === "from" && value !== "") {
      const at = startOf(value);
      if (at === undefined && likeDay.test(value)) notes.push(searchNote("no_date", { given: `${name}:${value}` }));
      else counts(at === undefined ? "sender" : "after", asTyped);
      if (at !== undefined) [fromMs, dates.after] = [at, value];
      else if (!likeDay.test(value)) sender = value;
    } else if ((name === "before" || name === "after") && value !== "") {
      const at = startOf(value);
      if (at === undefined) notes.push(searchNote("no_date", { given: `${name}:${value}` }));
      else counts(name, asTyped);
      if (at === undefined) continue;
      if (name === "after") [fromMs, dates.after] = [at, value];
      else [beforeMs, dates.before] = [at, value];
    } else if (minus !== undefined && filters.has(field?.toLowerCase() ?? "")) {
      notes.push(searchNote("no_without", { given: `-${field}:${value}` }));
    } else {
      const text = field === undefined ? value : asTyped;
      const found = searchedWords(text);
      const list = minus === undefined ? wanted : unwanted;
      if (found.length === 0 && picture.test(text))
        notes.push(searchNote("no_sign", { given: `${minus ?? ""}${text}` }));
      if (found.length === 0 || isIn(list, text)) continue;
      words += found.length;
      if (words > maxWords) left += found.length;
      else list.push({ words: found, text, isPhrase: quoted !== undefined });
    }
  }
  if (fromMs !== undefined && beforeMs !== undefined && fromMs >= beforeMs) notes.push(searchNote("no_time", dates));
  if (left > 0 || typed.length > maxChars) notes.push(searchNote("many_words", { most: maxWords }));
  return { wanted, unwanted, kinds, project, sender, fromMs, beforeMs, notes };
}

const isIn = (terms: readonly Term[], text: string): boolean =>
  terms.some((each) => each.text.toLowerCase() === text.toLowerCase());

/** The beginning of a year, month or day, in this machine's time zone. */
function startOf(text: string): number | undefined {
  const [, year, month = "1", date = "1"] = day.exec(text) ?? [];
  if (year === undefined) return undefined;
  const at = new Date(Number(year), Number(month) - 1, Number(date));
  const isThatDay = at.getMonth() === Number(month) - 1 && at.getDate() === Number(date);
  return isThatDay ? at.getTime() : undefined;
}
