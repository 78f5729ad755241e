import { folded } from "../../store/sqlite/folded-text.ts";
import { isGlued, oneSpelling, partsOfName } from "../text/words.ts";
import { isEmptyWord } from "./index/empty-words.ts";
import { stemOf } from "./index/match-expression.ts";
import type { Term } from "./parse-query.ts";

/** A line of a text with the words in it that were looked for. */
export interface MatchingLine {
  /** 1-based, in the whole text. */
  readonly line: number;
  /** What stands there, in order; white space at both ends and what is too long left out. */
  readonly parts: readonly { readonly text: string; readonly isMatch: boolean }[];
}

/** Of a passage what is shown at a glance. */
export const shownLines = { most: 3, maxChars: 160 } as const;

/** With what stands within words and is no part of them. */
const wordRun = /[\p{L}\p{N}\p{M}\u00ad\u2060\ufeff]+/gu;
/** What precedes a match in a line that is cut, in UTF-16 code units. */
const leadChars = 40;

/** Whether, and where, one word of a text is a word that was looked for. */
interface Wanted {
  readonly token: string;
  readonly typed: string;
  readonly stem: string | undefined;
  readonly isGlued: boolean;
}

interface Match {
  readonly start: number;
  readonly end: number;
  /** Its place in the words that were looked for. */
  readonly wanted: number;
}

/** Finds in shown text what a question asked for, as the index does: in any form, without case and accents. */
export class LineMatcher {
  readonly #wanted: readonly Wanted[];

  constructor(terms: readonly Term[]) {
    const tokens = terms.flatMap(({ words }) => words.flatMap((word) => word.tokens));
    const naming = tokens.filter((token) => !isEmptyWord(token));
    const given = new Map((naming.length > 0 ? naming : tokens).map((token) => [folded(token), token]));
    this.#wanted = Array.from(given, ([token, typed]) => ({
      token,
      typed,
      stem: stemOf(token),
      isGlued: isGlued(typed),
    }));
  }

  /**
   * The lines of a text that hold most of what was asked for, in their order, at most so many; the text's first lines where
   * none does.
   *
   * @param startLine of the text, 1-based
   */
  lines(text: string, startLine: number, most: number, maxChars: number): MatchingLine[] {
    const lines = text
      .split("\n")
      .map((content, at) => ({ content: content.trim(), line: startLine + at }))
      .filter(({ content }) => content !== "")
      .map((each) => ({ ...each, matches: this.#matchesIn(each.content) }));
    const chosen = new Set<(typeof lines)[number]>();
    const held = new Set<number>();
    const news = ({ matches }: (typeof lines)[number]) =>
      new Set(matches.map(({ wanted }) => wanted).filter((wanted) => !held.has(wanted))).size;
    while (chosen.size < most) {
      const [best] = lines.filter((line) => news(line) > 0).toSorted((a, b) => news(b) - news(a));
      if (best === undefined) break;
      chosen.add(best);
      for (const { wanted } of best.matches) held.add(wanted);
    }
    // What follows the likeliest line is read with it.
    const [first] = chosen;
    for (const line of lines.slice(first === undefined ? 0 : lines.indexOf(first))) {
      if (chosen.size < most) chosen.add(line);
    }
    return lines
      .filter((line) => chosen.has(line))
      .map(({ content, line, matches }) => ({ line, parts: partsOf(content, matches, maxChars) }));
  }

  #matchesIn(content: string): Match[] {
    const matches: Match[] = [];
    for (const { 0: run, index } of content.matchAll(wordRun)) {
      const forms = [run, ...partsOfName(run)].map((form) => folded(oneSpelling(form)));
      for (const [wanted, { token, typed, stem, isGlued: isPart }] of this.#wanted.entries()) {
        if (isPart) matches.push(...placesOf(typed, run, index).map((place) => ({ ...place, wanted })));
        else if (forms.some((form) => form === token || (stem !== undefined && form.startsWith(stem)))) {
          matches.push({ start: index, end: index + run.length, wanted });
        }
      }
    }
    return matches.toSorted((a, b) => a.start - b.start);
  }
}

/** Of a script without spaces: every place in a run; all of the run where its spelling is another. */
function placesOf(typed: string, run: string, offset: number): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (let at = run.indexOf(typed); at !== -1; at = run.indexOf(typed, at + 1)) {
    places.push({ start: offset + at, end: offset + at + typed.length });
  }
  if (places.length > 0 || !folded(run).includes(folded(typed))) return places;
  return [{ start: offset, end: offset + run.length }];
}

/** A line in pieces, cut around its first match when it is longer than so much. */
function partsOf(content: string, matches: readonly Match[], maxChars: number): MatchingLine["parts"] {
  const [first] = matches;
  const isLong = content.length > maxChars;
  const from =
    isLong && first !== undefined ? Math.max(0, Math.min(first.start - leadChars, content.length - maxChars)) : 0;
  const to = Math.min(content.length, from + maxChars);
  const parts: { text: string; isMatch: boolean }[] = [];
  const add = (start: number, end: number, isMatch: boolean) => {
    const text = content.slice(start, end).toWellFormed();
    if (end > start) parts.push({ text, isMatch });
  };
  if (from > 0) parts.push({ text: "…", isMatch: false });
  let at = from;
  for (const { start, end } of matches) {
    if (end <= at || start >= to) continue;
    add(at, start, false);
    add(Math.max(at, start), Math.min(end, to), true);
    at = Math.min(end, to);
  }
  add(at, to, false);
  if (to < content.length) parts.push({ text: "…", isMatch: false });
  return parts;
}
