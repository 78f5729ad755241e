import { createHash } from "node:crypto";
import type ICAL from "ical.js";
import { exactError } from "../../exact-sentences.ts";
import type { Draft } from "../entities.ts";
import { eventOf, isOfLaterOnes, titleOf, type Untaken } from "./calendar-component.ts";
import { type Component, textOf } from "./component-values.ts";

/** What a calendar file says: its events, one by one, and which could not be read. */
export interface ReadCalendar {
  readonly events: readonly Draft<"event">[];
  readonly untaken: readonly Untaken[];
}

/** Characters; a calendar of ten years has a tenth. */
const mostCharacters = 20_000_000;

/**
 * Reads an iCalendar file (RFC 5545), a calendar or an invitation: METHOD:CANCEL cancels what it names. Rules of a series
 * are kept as they are written and never worked out, those of a VTIMEZONE not even read.
 *
 * @throws DeviceError `import_invalid` when it is no such file
 */
export async function readCalendar(given: string): Promise<ReadCalendar> {
  if (given.length > mostCharacters) throw invalid();
  const text = withLineEnds(given);
  const { default: ical } = await import("ical.js");
  const events: Draft<"event">[] = [];
  const untaken: Untaken[] = [];
  for (const calendar of calendarsIn(ical, text, untaken)) {
    const isCancelled = textOf(calendar, "method").toUpperCase() === "CANCEL";
    for (const component of calendar.getAllSubcomponents("vevent")) {
      const read = eventOrWhy(component);
      if ("why" in read) untaken.push(read);
      else events.push(isCancelled ? { ...read, status: "cancelled" } : read);
    }
    for (const [name, why] of Object.entries(otherKinds)) {
      untaken.push(...calendar.getAllSubcomponents(name).map((each) => ({ title: titleOf(each), why })));
    }
  }
  return { events, untaken };
}

/** Line ends of an old Mac, and those that a program has made twice, as others write them. */
const withLineEnds = (text: string): string =>
  text.includes("\n") ? text.replace(/(?<!\r)\r\r+\n/g, "\r\n") : text.replaceAll("\r", "\n");

/** What a calendar has beside events (RFC 5545 §3.6.2, §3.6.3). */
const otherKinds = {
  vtodo: "it is a task, and of calendar files events alone are taken; add it to your tasks",
  vjournal: "it is a journal entry, and of calendar files events alone are taken; add it to your notes",
} as const;

/** A time with how far clocks are ahead of UTC, or with the signs of ISO 8601, of which the library makes another one, or none. */
const foreignTime =
  /^((?:DTSTART|DTEND|DUE|RECURRENCE-ID)(?:;[^:\r\n]{0,200})?:)(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?(?=[ \t]*\r?$)/gim;

/** The same as iCalendar writes it (RFC 5545 §3.3.5). */
function asWritten(whole: string, ...parts: (string | undefined)[]): string {
  const [name, year, month, day, hour, minute, second = "00", zone = ""] = parts;
  if (hour === undefined) return `${name}${year}${month}${day}`;
  const clock = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  if (!/\d/.test(zone)) return `${name}${clock.replace(/[-:]/g, "")}${zone}`;
  const ms = Date.parse(`${clock}${zone.slice(0, 3)}:${zone.slice(-2)}`);
  if (Number.isNaN(ms)) return whole;
  return `${name}${new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
}

/** @throws DeviceError `import_invalid` */
function parsed(ical: typeof ICAL, text: string): Component[] {
  try {
    const found: unknown = ical.parse(text.replace(/^\ufeff/, "").replace(foreignTime, asWritten));
    const all = Array.isArray(found) && typeof found[0] === "string" ? [found] : found;
    if (!Array.isArray(all) || all.length === 0) throw invalid();
    const calendars = all.map((each) => new ical.Component(each));
    if (calendars.some(({ name }) => name !== "vcalendar")) throw invalid();
    return calendars;
  } catch (cause) {
    throw invalid(cause);
  }
}

/** The calendars of a text; where it cannot be parsed as a whole, one of each event that can. @throws DeviceError `import_invalid` */
export function calendarsIn(ical: typeof ICAL, text: string, untaken: Untaken[]): Component[] {
  try {
    return parsed(ical, text);
  } catch (error) {
    const texts = eventTexts(text);
    const events = texts.filter(isWhole);
    if (events.length === 0) throw error;
    untaken.push(...texts.filter((each) => !isWhole(each)).map((each) => ({ title: titleIn(each), why: cutOff })));
    const method = /^METHOD:[\w-]+/m.exec(text)?.[0] ?? "METHOD:PUBLISH";
    const alone = (event: string) => parsed(ical, `BEGIN:VCALENDAR\r\n${method}\r\n${event}\r\nEND:VCALENDAR\r\n`);
    return events.flatMap((event) => {
      try {
        return alone(joined(event));
      } catch (cause) {
        untaken.push({ title: titleIn(event), why: `it is not valid${causeOf(cause)}` });
        return [];
      }
    });
  }
}

/** Lines that begin with no name go on with a text that somebody has not folded; a name alone says nothing. */
const joined = (event: string): string =>
  event.replace(/\r?\nX-[\w-]+(?=\r?\n)/gi, "").replace(/\r?\n(?![A-Z][\w-]*[;:]|[ \t\r\n])(?=.)/gi, "\\n");

/** What lies between the lines of each event of a calendar, these included; of the last one what there is. */
function eventTexts(text: string): string[] {
  const [head = "", ...rest] = text.split(/^BEGIN:VEVENT\r?$/m);
  if (!/^\ufeff?BEGIN:VCALENDAR\r?$/m.test(head)) return [];
  return rest.map((part) => {
    const end = part.indexOf(lastLine);
    return `BEGIN:VEVENT${end === -1 ? part : part.slice(0, end) + lastLine}`;
  });
}

const lastLine = "\nEND:VEVENT";
const isWhole = (event: string): boolean => event.endsWith(lastLine);
const cutOff = "the file ends in the middle of it; get it once more from where it is from";
const titleIn = (event: string): string => /^SUMMARY[^:\n]{0,200}:(.{1,500})/m.exec(event)?.[1]?.trim() ?? "(no title)";

const causeOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";

const laterOnes =
  "it changes one of a series and all later ones, which is not worked out here; change the series itself";

/** The library throws where a value is not of its type, a rule of a series for example. */
function eventOrWhy(component: Component): Draft<"event"> | Untaken {
  if (isOfLaterOnes(component)) return { title: titleOf(component), why: laterOnes };
  try {
    if (textOf(component, "uid").trim() === "") component.updatePropertyWithValue("uid", uidFor(component));
    return eventOf(component);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { title: titleOf(component), why: `it is not valid: ${why}` };
  }
}

/** When a file was made: each download of a page's event says another time. */
const ofTheFile = /^(?:DTSTAMP|CREATED|LAST-MODIFIED|SEQUENCE|UID)[;:][^\n]*\n/gim;

/** For an event that names none: of what it says, so that it is known again. */
function uidFor(component: Component): string {
  const said = component
    .toString()
    .replace(/\r?\n[ \t]/g, "")
    .replace(ofTheFile, "");
  return `${createHash("sha256").update(said).digest("hex").slice(0, 32)}@no-uid.invalid`;
}

const invalid = (cause?: unknown) => exactError("import_invalid", "calendar", {}, { cause });
