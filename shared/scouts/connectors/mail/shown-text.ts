import { type Reading, readableText } from "../../triage/readable-text.ts";
import { calendarText } from "./calendar.ts";
import { enrichedText } from "./enriched.ts";
import { unflowed } from "./flowed.ts";
import { fieldOf, type MailPart, parameterOf } from "./part.ts";

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
 * What a person sees of a text part: hidden text out, lines put together again. At most `maxCharacters` of its source
 * are looked at.
 */
export function shownText(part: MailPart, maxCharacters: number, reading: Reading): string {
  const source = part.text?.(maxCharacters) ?? "";
  if (html.has(part.mimeType)) return readableText({ html: source }, reading);
  if (enriched.has(part.mimeType)) return readableText({ text: enrichedText(source) }, reading);
  if (isCalendar(part)) return readableText({ text: calendarText(source, false) }, reading);
  const type = fieldOf(part.headers, "content-type");
  if (part.mimeType !== "text/plain" || parameterOf(type, "format") !== "flowed") {
    return readableText({ text: source }, reading);
  }
  return readableText({ text: unflowed(source, parameterOf(type, "delsp") === "yes") }, reading);
}

/** An invitation with its own words, for a mail that has no others. */
export function calendarLetter(part: MailPart, maxCharacters: number): string {
  return readableText({ text: calendarText(part.text?.(maxCharacters) ?? "", true) });
}
