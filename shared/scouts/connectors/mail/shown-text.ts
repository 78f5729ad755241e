import { type Reading, readableText } from "../../triage/readable-text.ts";
import { fieldOf, type MailPart, parameterOf } from "./part.ts";
import { calendarText } from "./text/calendar.ts";
import { enrichedText } from "./text/enriched.ts";
import { unflowed } from "./text/flowed.ts";
import { type WithoutFiles, withoutUuencoded } from "./text/uuencoded.ts";

const html: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"]);
const enriched: ReadonlySet<string> = new Set(["text/enriched", "text/richtext"]);
/** Text for programs: nothing a mail program would show as the letter. */
const notShown: ReadonlySet<string> = new Set([
  "text/rfc822-headers",
  "text/x-amp-html",
  "text/css",
  "text/javascript",
  "text/vcard",
  "text/x-vcard",
  "text/directory",
  "text/rtf",
]);

/** Whether a part is an invitation or another calendar object (RFC 5545). */
export const isCalendar = (part: MailPart): boolean => part.mimeType === "text/calendar";

/** Whether this is text that mail programs show in place. */
export const isShownText = (part: MailPart): boolean =>
  (part.mimeType.startsWith("text/") || html.has(part.mimeType)) && !notShown.has(part.mimeType);

/** How much of a letter's form a text part can carry: of alternatives, the richest is shown (RFC 2046 §5.1.4). */
export function richnessOf({ mimeType }: MailPart): number {
  if (html.has(mimeType)) return 4;
  if (enriched.has(mimeType)) return 3;
  return mimeType === "text/calendar" ? 1 : 2;
}

/**
 * What a person sees of a text part: hidden text out, lines put together again, and files that were written into it named
 * instead. At most `maxCharacters` of its source are looked at.
 */
export function shownText(part: MailPart, maxCharacters: number, reading: Reading): WithoutFiles {
  const source = part.text?.(maxCharacters) ?? "";
  if (part.mimeType !== "text/plain") return { text: shownMarkup(part, source, reading), files: [] };
  const type = fieldOf(part.headers, "content-type");
  const { text, files } = withoutUuencoded(source);
  const isFlowed = parameterOf(type, "format") === "flowed";
  return {
    text: readableText({ text: isFlowed ? unflowed(text, parameterOf(type, "delsp") === "yes") : text }, reading),
    files,
  };
}

function shownMarkup(part: MailPart, source: string, reading: Reading): string {
  if (html.has(part.mimeType)) return readableText({ html: source }, reading);
  if (enriched.has(part.mimeType)) return readableText({ text: enrichedText(source) }, reading);
  return readableText({ text: isCalendar(part) ? calendarText(source, false) : source }, reading);
}

/** An invitation with its own words, for a mail that has no others. */
export function calendarLetter(part: MailPart, maxCharacters: number): string {
  return readableText({ text: calendarText(part.text?.(maxCharacters) ?? "", true) });
}
