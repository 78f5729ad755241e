import type { LineEnding, StatedEnding, TextDocument } from "./lines/document.ts";
import { findLines } from "./lines/find-lines.ts";
import { normalised, type Reindent, reindentFrom } from "./lines/normalise.ts";
import type { Hunk, HunkLine } from "./patches/patch.ts";

/** A place where a hunk's old lines stand. */
export interface Place {
  /** 0-based line of the first old line. */
  readonly start: number;
  readonly length: number;
  /** Present when the lines are the same only but for white space and punctuation. */
  readonly reindent?: Reindent;
}

/** A file's lines in the spellings they are looked for, made when first needed. */
export class SearchableLines {
  readonly texts: readonly string[];
  readonly #document: TextDocument;
  #normalised: readonly string[] | undefined;

  constructor(document: TextDocument) {
    this.#document = document;
    this.texts = document.lines.map(({ text }) => text);
  }

  endingAt(line: number): LineEnding | "" {
    return this.#document.lines[line]?.ending ?? "";
  }

  get normalised(): readonly string[] {
    this.#normalised ??= this.texts.map(normalised);
    return this.#normalised;
  }
}

/** The lines a hunk expects to find in the file: what stays, and what is removed. */
export const oldLines = (hunk: Hunk): HunkLine[] => hunk.lines.filter(({ kind }) => kind !== "add");
/** The lines that stand there after the hunk: what stays, and what is added. */
export const newLines = (hunk: Hunk): HunkLine[] => hunk.lines.filter(({ kind }) => kind !== "remove");

/**
 * Every place a hunk could be about: exactly its lines, or else, when there is no such place, its lines but for white
 * space and Unicode punctuation, indented alike. Never lines that are merely similar.
 */
export function placesOf(hunk: Hunk, lines: SearchableLines): Place[] {
  const wanted = oldLines(hunk);
  if (wanted.length === 0) return insertionPlaces(hunk, lines);
  const exact = anchored(hunk, lines, exactPlaces(wanted, lines));
  return exact.length > 0 ? exact : anchored(hunk, lines, normalisedPlaces(hunk, wanted, lines));
}

function endingFits(stated: StatedEnding | undefined, actual: LineEnding | ""): boolean {
  if (stated === undefined) return true;
  return stated === "any" ? actual !== "" : stated === actual;
}

/** A hunk that only adds: behind its anchor, or at the end of the file. */
function insertionPlaces(hunk: Hunk, lines: SearchableLines): Place[] {
  const end = lines.texts.length;
  if (hunk.anchors.length === 0 || hunk.atEnd)
    return end === 0 || hunk.statedLine === undefined ? [{ start: end, length: 0 }] : [];
  return anchorEnds(hunk.anchors, lines).map((start) => ({ start, length: 0 }));
}

function exactPlaces(wanted: readonly HunkLine[], lines: SearchableLines): Place[] {
  const texts = wanted.map(({ text }) => text);
  const starts = findLines(lines.texts, texts);
  const length = texts.length;
  return starts
    .filter((start) => wanted.every(({ ending }, index) => endingFits(ending, lines.endingAt(start + index))))
    .map((start) => ({ start, length }));
}

function normalisedPlaces(hunk: Hunk, wanted: readonly HunkLine[], lines: SearchableLines): Place[] {
  const keys = wanted.map(({ text }) => normalised(text));
  // Blank lines alone say nothing about a place.
  if (keys.every((key) => key === "")) return [];
  return findLines(lines.normalised, keys).flatMap((start) => {
    const reindent = reindentFrom(wanted.map(({ text }, index) => [text, lines.texts[start + index] ?? ""]));
    const fits = hunk.lines.every(({ kind, text }) => kind !== "add" || reindent?.apply(text) !== undefined);
    const endsAlike = wanted.every(
      ({ ending }, index) => ending === undefined || (ending === "") === (lines.endingAt(start + index) === ""),
    );
    return reindent === undefined || !fits || !endsAlike ? [] : [{ start, length: keys.length, reindent }];
  });
}

/** Only places at the start or end of the file, where the hunk says so, and only the nearest behind an anchor. */
function anchored(hunk: Hunk, lines: SearchableLines, places: readonly Place[]): Place[] {
  const fitting = places.filter(
    ({ start, length }) => (!hunk.atStart || start === 0) && (!hunk.atEnd || start + length === lines.texts.length),
  );
  if (hunk.anchors.length === 0) return fitting;
  const nearest = new Set<Place>();
  for (const from of anchorEnds(hunk.anchors, lines)) {
    // The anchor may be the hunk's own first line.
    const next = fitting.find(({ start }) => start >= from - 1);
    if (next !== undefined) nearest.add(next);
  }
  return [...nearest];
}

/** Lines behind the innermost anchor, for every place where the anchors stand one after the other. */
function anchorEnds(anchors: readonly string[], lines: SearchableLines): number[] {
  let ends = [0];
  for (const anchor of anchors) {
    const exact = findLines(lines.texts, [anchor]);
    const starts = exact.length > 0 ? exact : findLines(lines.normalised, [normalised(anchor)]);
    const earliest = ends[0] ?? Number.POSITIVE_INFINITY;
    ends = starts.filter((start) => start >= earliest).map((start) => start + 1);
  }
  return ends;
}
