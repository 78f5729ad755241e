import stringWidth from "string-width";
import { exactJson } from "../../device/artifacts/exact-json.ts";

/** Escape sequences and other controls (C0, C1), lone surrogates, private use and unassigned code points. */
const hostile = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/gu;
/**
 * What shows nothing of itself: bidi controls, which reorder what is read (CVE-2021-42574), zero-width characters, tags,
 * soft hyphens. Emoji presentation (U+FE0F) stays.
 */
const invisible = /(?!\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** What most terminals show of one at the beginning of a line. */
const tab = " ".repeat(8);
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** One harmless line of text: white space becomes a space, controls become `�`, invisible characters go. */
export function printable(text: string): string {
  return printablePart(text).trim();
}

/** The same of a part of a line: white space at its ends parts it from the next. */
export function printablePart(text: string): string {
  return harmless(text, /\s+/gu);
}

/** Several lines, each made harmless as by {@link printable}; blanks stay, which tables and what is set in stand by. */
export function printableLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => harmless(line.replaceAll("\t", tab), /\s/gu).trimEnd())
    .join("\n");
}

/** @param blank what becomes a space: each blank, or all in a row */
function harmless(text: string, blank: RegExp): string {
  return text.replace(invisible, "").replace(blank, " ").replace(hostile, "\ufffd");
}

/** `text` cut to a number of terminal columns, with an ellipsis when something is missing. */
export function truncated(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** `text` cut in its middle to a number of terminal columns: both ends of a path say more than its folders. */
export function shortened(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  const letters = [...segmenter.segment(text)].map(({ segment }) => segment);
  const tailColumns = Math.ceil((columns - 1) * 0.6);
  const tail = lettersWithin(letters.toReversed(), tailColumns).toReversed();
  const head = lettersWithin(letters, columns - 1 - stringWidth(tail.join("")));
  return `${head.join("")}…${tail.join("")}`;
}

function lettersWithin(letters: readonly string[], columns: number): string[] {
  const kept: string[] = [];
  let width = 0;
  for (const letter of letters) {
    width += stringWidth(letter);
    if (width > columns) break;
    kept.push(letter);
  }
  return kept;
}

/** `text` cut or filled up to exactly `columns` terminal columns. */
export function padded(text: string, columns: number): string {
  const fitted = truncated(text, columns);
  return fitted + " ".repeat(Math.max(0, columns - stringWidth(fitted)));
}

/** JSON that shows no control or format character to a terminal, and still means the same. */
export function printableJson(value: unknown, indent = 2): string {
  return printableJsonText(exactJson(value, indent));
}

/** The same of what is JSON already, in one line or in several. */
export function printableJsonText(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === "\n" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`,
  ).join("");
}
