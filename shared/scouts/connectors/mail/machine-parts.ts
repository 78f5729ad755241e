import { Transient } from "../../../privacy/transient.ts";
import type { MachineParts } from "../connector.ts";
import { isAttachment } from "./attachments.ts";
import { letterIn } from "./letter.ts";
import { type MailPart, partLimits } from "./part.ts";

/** Mails have one or two of each; what goes beyond is left out. */
const limits = { calendars: 3, linkedData: 5, scripts: 10, characters: 100_000, htmlCharacters: 1_000_000 } as const;

const calendarTypes: ReadonlySet<string> = new Set(["text/calendar", "application/ics", "application/x-ics"]);
/** Types that programs give files whose own they do not know. */
const anyFile = /^(?:application\/(?:octet-stream|binary|x-[\w.-]+|unknown)|text\/plain)$/;

/**
 * Whether a part is a calendar that is read, wherever it stands and whatever program has attached it: many that are asked to
 * come get theirs as a file.
 */
export const isMachineCalendar = ({ mimeType, fileName, sizeBytes }: MailPart): boolean =>
  (calendarTypes.has(mimeType) || (anyFile.test(mimeType) && /\.ics$/i.test(fileName))) &&
  sizeBytes <= limits.characters * mostBytesOfCharacter;

/** Of one character, in a transfer encoding. */
const mostBytesOfCharacter = 2;

const opening = /<script\b([^<>]{0,300})>/giu;

/**
 * Finds them in all parts that came with their text, attached messages left out: calendars that are files where none stands in
 * the letter, of which a file is the copy. Never throws; work is bounded.
 */
export function machinePartsOf(root: MailPart): MachineParts {
  const inLetter: string[] = [];
  const files: string[] = [];
  const linkedData: string[] = [];
  const waiting: MailPart[] = [letterIn(root)];
  for (let looked = 0; looked < partLimits.parts; looked++) {
    const part = waiting.shift();
    if (part === undefined) break;
    if (part.mimeType.startsWith("message/")) continue;
    waiting.push(...part.parts.slice(0, partLimits.parts));
    const calendars = isAttachment(part) ? files : inLetter;
    if (isMachineCalendar(part) && calendars.length < limits.calendars) {
      // One that is longer than is looked at is cut in the middle of something: it says nothing.
      const text = part.text?.(limits.characters + 1) ?? "";
      if (text !== "" && text.length <= limits.characters && !calendars.includes(text)) calendars.push(text);
    } else if (part.mimeType === "text/html" && linkedData.length < limits.linkedData) {
      linkedData.push(...scriptsIn(part.text?.(limits.htmlCharacters) ?? "", limits.linkedData - linkedData.length));
    }
  }
  return { calendars: inLetter.length > 0 ? inLetter : files, linkedData };
}

/** The same as content carries it: nothing where there is none. */
export function carriedParts(root: MailPart): { readonly machineParts?: Transient<MachineParts> } {
  const parts = machinePartsOf(root);
  const isEmpty = parts.calendars.length === 0 && parts.linkedData.length === 0;
  return isEmpty ? {} : { machineParts: new Transient(parts) };
}

function scriptsIn(html: string, most: number): string[] {
  const found: string[] = [];
  let looked = 0;
  for (const match of html.matchAll(opening)) {
    if (!/application\/ld\+json/i.test(match[1] ?? "")) continue;
    looked += 1;
    if (found.length >= most || looked > limits.scripts) break;
    const from = match.index + match[0].length;
    const rest = html.slice(from, from + limits.characters + 1);
    const end = rest.search(/<\/script/iu);
    const text = end === -1 ? "" : rest.slice(0, end);
    if (text.trim() !== "") found.push(text);
  }
  return found;
}
