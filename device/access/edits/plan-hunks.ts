import { AccessError, type Candidate } from "../errors.ts";
import type { LineEdit, NewLine, TextDocument } from "./lines/document.ts";
import { findLines } from "./lines/find-lines.ts";
import { normalised } from "./lines/normalise.ts";
import { newLines, oldLines, type Place, placesOf, SearchableLines } from "./locate.ts";
import type { Hunk } from "./patches/patch.ts";

export interface HunkPlan {
  /** Ascending and disjoint. */
  readonly edits: readonly LineEdit[];
  /** Lines the hunks are about, 0-based and half open, in the same order as the hunks. */
  readonly ranges: readonly (readonly [number, number])[];
  /** True when a hunk was found only after white space and punctuation were evened out. */
  readonly usedNormalisation: boolean;
}

const maxCandidates = 10;
const excerptLines = 8;
/** As git reads a diff. */
const atItsEnds =
  "They stand elsewhere in it: a hunk without context before, or behind, its change is about the file's beginning, or its end. Add the lines around the change.";

/**
 * Finds every hunk's one place, in order. A place counts when it is the only one that fits between its neighbours, or
 * when all hunks stand exactly where a diff with correct counts says they do.
 *
 * @throws AccessError `no_match`, `ambiguous_match`, `already_applied`, `overlapping_edits`, each with the current text
 */
export function planHunks(document: TextDocument, hunks: readonly Hunk[]): HunkPlan {
  const lines = new SearchableLines(document);
  const places = hunks.map((hunk) => placesOf(hunk, lines));
  const stated = statedPlaces(hunks, places);
  const chosen = stated ?? uniquePlaces(document, lines, hunks, places);
  const edits: LineEdit[] = [];
  for (const [index, hunk] of hunks.entries()) {
    const place = chosen[index];
    if (place !== undefined) edits.push(...editsOf(hunk, place));
  }
  return {
    edits,
    ranges: chosen.map(({ start, length }) => [start, start + length]),
    usedNormalisation: chosen.some(({ reindent }) => reindent !== undefined),
  };
}

/** Every hunk exactly at its stated line: the diff was made from this very text. */
function statedPlaces(hunks: readonly Hunk[], places: readonly (readonly Place[])[]): Place[] | undefined {
  const chosen: Place[] = [];
  for (const [index, hunk] of hunks.entries()) {
    const statedLine = hunk.statedLine;
    if (statedLine === undefined) return undefined;
    const start = Math.max(0, statedLine - 1);
    const place = places[index]?.find((candidate) => candidate.start === start && candidate.reindent === undefined);
    if (place === undefined) return undefined;
    chosen.push(place);
  }
  return inOrder(chosen) ? chosen : undefined;
}

const inOrder = (places: readonly Place[]) =>
  places.every((place, index) => {
    const next = places[index + 1];
    return next === undefined || place.start + place.length <= next.start;
  });

/** The only way to put the hunks in order: taking each as early, and as late, as possible must come out the same. */
function uniquePlaces(
  document: TextDocument,
  lines: SearchableLines,
  hunks: readonly Hunk[],
  places: readonly (readonly Place[])[],
): Place[] {
  for (const [index, hunk] of hunks.entries()) {
    if (places[index]?.length === 0) throw notFound(document, lines, hunk);
  }
  const earliest: Place[] = [];
  let from = 0;
  for (const candidates of places) {
    const next = candidates.find(({ start }) => start >= from);
    if (next === undefined) break;
    earliest.push(next);
    from = next.start + next.length;
  }
  const latest: Place[] = [];
  let until = Number.POSITIVE_INFINITY;
  for (const candidates of places.toReversed()) {
    const next = candidates.findLast(({ start, length }) => start + length <= until);
    if (next === undefined) break;
    latest.unshift(next);
    until = next.start;
  }
  if (earliest.length < hunks.length || latest.length < hunks.length) {
    throw new AccessError("overlapping_edits", {
      candidates: places.flatMap((found) => found.slice(0, 1).map(candidateOf)),
    });
  }
  for (const [index, place] of earliest.entries()) {
    const hunk = hunks[index];
    if (latest[index] !== place) throw ambiguous(document, places[index] ?? []);
    if (hunk !== undefined && isApplied(hunk, place, lines)) throw applied(document, place);
  }
  return earliest;
}

/** The text a hunk would leave stands where it would leave it: an insertion made twice. */
function isApplied(hunk: Hunk, place: Place, lines: SearchableLines): boolean {
  const added = newLines(hunk);
  if (added.length <= oldLines(hunk).length || place.length === 0) return false;
  const leading = hunk.lines.findIndex(({ kind }) => kind !== "add");
  const start = place.start - Math.max(0, leading);
  return start >= 0 && added.every(({ text }, index) => lines.texts[start + index] === text);
}

function editsOf(hunk: Hunk, place: Place): LineEdit[] {
  const edits: LineEdit[] = [];
  let at = place.start;
  let open: { start: number; end: number; lines: NewLine[] } | undefined;
  for (const { kind, text, ending } of hunk.lines) {
    if (kind === "context") {
      open = undefined;
      at++;
      continue;
    }
    if (open === undefined) {
      open = { start: at, end: at, lines: [] };
      edits.push(open);
    }
    if (kind === "remove") open.end = ++at;
    else open.lines.push({ text: place.reindent?.apply(text) ?? text, ...(ending === undefined ? {} : { ending }) });
  }
  return edits;
}

const candidateOf = ({ start, length }: Place): Candidate => ({
  startLine: start + 1,
  endLine: Math.max(start + 1, start + length),
});

function excerpt(document: TextDocument, start: number, end: number): string {
  return document.lines
    .slice(Math.max(0, start), end)
    .map(({ text, ending }) => text + ending)
    .join("");
}

function ambiguous(document: TextDocument, places: readonly Place[]): AccessError {
  const [first] = places;
  return new AccessError("ambiguous_match", {
    candidates: places.slice(0, maxCandidates).map(candidateOf),
    detail: "Add lines around the change that stand there only.",
    ...(first && { current: excerpt(document, first.start - 2, first.start + first.length + 2) }),
  });
}

function applied(document: TextDocument, place: Place): AccessError {
  return new AccessError("already_applied", {
    candidates: [candidateOf(place)],
    current: excerpt(document, place.start, place.start + place.length + excerptLines),
  });
}

/** Points at places where the hunk's most telling line stands, and shows what is there. */
function notFound(document: TextDocument, lines: SearchableLines, hunk: Hunk): AccessError {
  const result = newLines(hunk).map(({ text }) => text);
  const [done] = result.length > 0 ? findLines(lines.texts, result) : [];
  if (done !== undefined && hunk.lines.some(({ kind }) => kind === "add")) {
    return applied(document, { start: done, length: result.length });
  }
  const isDiff = hunk.statedLine !== undefined;
  const misplaced = isDiff ? placesOf({ ...hunk, atStart: false, atEnd: false }, lines) : [];
  const [nearest] = misplaced;
  if (nearest !== undefined) {
    return new AccessError("no_match", {
      candidates: misplaced.slice(0, maxCandidates).map(candidateOf),
      detail: atItsEnds,
      current: excerpt(document, nearest.start - excerptLines, nearest.start + nearest.length + excerptLines),
    });
  }
  const telling = oldLines(hunk)
    .map(({ text }) => normalised(text))
    .filter((text) => text !== "")
    .sort((a, b) => b.length - a.length);
  for (const text of telling) {
    const starts = findLines(lines.normalised, [text]);
    const [first] = starts;
    if (first === undefined) continue;
    return new AccessError("no_match", {
      candidates: starts.slice(0, maxCandidates).map((start) => candidateOf({ start, length: 1 })),
      current: excerpt(document, first - excerptLines, first + excerptLines),
    });
  }
  const around = (hunk.statedLine ?? 1) - 1;
  return new AccessError("no_match", { current: excerpt(document, around - 2, around + excerptLines) });
}
