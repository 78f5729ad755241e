import type { ShownProposal } from "../../inbox/shown.ts";
import { thisYear } from "../states/this-year.ts";

/** Longer texts are cut in lists: laying out a line of 100,000 characters takes a browser seconds. */
const longestLine = 300;
/**
 * Control characters, those that turn the direction of what stands around them, and those that nobody sees (UAX #44,
 * Default_Ignorable_Code_Point). What emoji are joined and coloured by stays.
 */
const unseen =
  /(?!\uFE0F)(?!(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D\p{Extended_Pictographic})[\p{Cc}\p{Default_Ignorable_Code_Point}\u061C\u2028\u2029]/gu;
/** More marks on a letter than any language puts there cover the lines around it. */
const heaped = /(\p{M}{4})\p{M}+/gu;
/** Half a character, where a text was cut. */
const half = /[\uD800-\uDBFF]$/;

/** A stranger's text in one line of a list. */
export function line(text: string): string {
  const seen = text
    .slice(0, longestLine * 4)
    .replace(half, "")
    .replaceAll(unseen, " ")
    .replaceAll(heaped, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
  return seen.length > longestLine ? `${seen.slice(0, longestLine).replace(half, "")}…` : seen;
}

/** A part of a stranger's line: white space at its ends parts it from the next. */
export const part = (text: string): string =>
  text.replaceAll(unseen, " ").replaceAll(heaped, "$1").replaceAll(/\s+/g, " ");

/** A stranger's text with its lines. */
export const lines = (text: string): string =>
  text.replaceAll(unseen, (found) => (/[\t\r\n]/.test(found) ? found : "")).replaceAll(heaped, "$1");

/** Who it is from; a name that looks like an address gives way to the address it came from. */
export function senderOf({ sender }: Pick<ShownProposal, "sender">): string {
  if (sender === null) return "";
  const name = line(sender.name);
  return sender.address !== "" && (name === "" || name.includes("@")) ? line(sender.address) : name;
}

/** A link to the web, or nothing: a source may say anything. */
export function webLink(text: string | null): string | undefined {
  const url = URL.parse(text ?? "");
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : undefined;
}

/** Makes a format once for each of its names: making one takes longer than all of a row else. */
function remembered<N extends readonly string[], F>(make: (...names: N) => F): (...names: N) => F {
  const known = new Map<string, F>();
  return (...names) => {
    const name = names.join();
    const format = known.get(name) ?? make(...names);
    known.set(name, format);
    return format;
  };
}

const dateFormat = remembered((language: string, year: "this" | "another") => {
  const withYear = { dateStyle: "medium", timeStyle: "short" } as const;
  const without = { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const;
  return new Intl.DateTimeFormat(language, year === "this" ? without : withYear);
});

/**
 * A day and a time of day, as this browser's zone and the language have it; with its year where that is another one.
 *
 * @param ms milliseconds since the epoch
 */
export const dateText = (ms: number, language: string, year = thisYear()): string =>
  dateFormat(language, new Date(ms).getFullYear() === year ? "this" : "another").format(ms);

const ages = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
] as const;

const ageFormat = remembered(
  (language: string, numeric: "auto" | "always") => new Intl.RelativeTimeFormat(language, { numeric }),
);

/** How long ago, in the largest whole unit: 3 days ago, this minute. */
export function agoText(sinceMs: number, nowMs: number, language: string): string {
  const [unitMs, unit] = ages.find(([least]) => nowMs - sinceMs >= least) ?? ages[2];
  const count = Math.max(0, Math.floor((nowMs - sinceMs) / unitMs));
  return ageFormat(language, count === 0 ? "auto" : "always").format(-count, unit);
}

const sizes = [
  [1e9, "gigabyte", "short"],
  [1e6, "megabyte", "short"],
  [1e3, "kilobyte", "short"],
  [1, "byte", "long"],
] as const;

const sizeFormat = remembered(
  (language: string, unit: string, unitDisplay: "short" | "long") =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 }),
);

/** A size in its largest unit of a thousand: 12 bytes, 4.2 kB. */
export function sizeText(bytes: number, language: string): string {
  const [size, unit, unitDisplay] = sizes.find(([least]) => bytes >= least) ?? sizes[3];
  return sizeFormat(language, unit, unitDisplay).format(bytes / size);
}
