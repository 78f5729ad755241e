import type ICAL from "ical.js";
import { DeviceError } from "../../errors.ts";
import { dayAfter, localTimeAt, momentOf } from "../dates/zone.ts";
import { calendarDay, type Draft } from "../entities.ts";
import { zoneOfTzid } from "./calendar-zones.ts";

/** An event of a calendar file that was not taken, and why. */
export interface Untaken {
  readonly title: string;
  readonly why: string;
}

/** What a calendar file says: its events, one by one, and which could not be read. */
export interface ReadCalendar {
  readonly events: readonly Draft<"event">[];
  readonly untaken: readonly Untaken[];
}

/** Ten years: longer lasts no event. */
const mostSeconds = 10 * 366 * 86_400;
/** Characters; a calendar of ten years has a tenth. */
const mostCharacters = 20_000_000;

/**
 * Reads an iCalendar file (RFC 5545), a calendar or an invitation: METHOD:CANCEL cancels what it names. Rules of a series
 * are kept as they are written and never worked out, those of a VTIMEZONE not even read.
 *
 * @throws DeviceError `import_invalid` when it is no such file
 */
export async function readCalendar(text: string): Promise<ReadCalendar> {
  if (text.length > mostCharacters) throw invalid();
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
  }
  return { events, untaken };
}

/** @throws DeviceError `import_invalid` */
function parsed(ical: typeof ICAL, text: string): Component[] {
  try {
    const found: unknown = ical.parse(text.replace(/^\ufeff/, ""));
    const all = Array.isArray(found) && typeof found[0] === "string" ? [found] : found;
    if (!Array.isArray(all) || all.length === 0) throw invalid();
    const calendars = all.map((each) => new ical.Component(each));
    if (calendars.some(({ name }) => name !== "vcalendar")) throw invalid();
    return calendars;
  } catch (cause) {
    throw invalid(cause);
  }
}

/** The calendars of a file; where it cannot be parsed as a whole, one of each event that can. @throws DeviceError `import_invalid` */
function calendarsIn(ical: typeof ICAL, text: string, untaken: Untaken[]): Component[] {
  try {
    return parsed(ical, text);
  } catch (error) {
    const events = eventTexts(text);
    if (events.length === 0) throw error;
    const method = /^METHOD:[\w-]+/m.exec(text)?.[0] ?? "METHOD:PUBLISH";
    return events.flatMap((event) => {
      try {
        return parsed(ical, `BEGIN:VCALENDAR\r\n${method}\r\n${event}\r\nEND:VCALENDAR\r\n`);
      } catch (cause) {
        const title = /^SUMMARY[^:\n]{0,200}:(.{1,500})/m.exec(event)?.[1]?.trim() ?? "(no title)";
        untaken.push({ title, why: `it is not valid${causeOf(cause)}` });
        return [];
      }
    });
  }
}

/** What lies between the lines of each event of a calendar, these included. */
function eventTexts(text: string): string[] {
  const [head = "", ...rest] = text.split(/^BEGIN:VEVENT\r?$/m);
  if (!/^\ufeff?BEGIN:VCALENDAR\r?$/m.test(head)) return [];
  return rest.flatMap((part) => {
    const end = part.indexOf("\nEND:VEVENT");
    return end === -1 ? [] : [`BEGIN:VEVENT${part.slice(0, end)}\nEND:VEVENT`];
  });
}

const causeOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";

type Component = InstanceType<typeof ICAL.Component>;
type Property = InstanceType<typeof ICAL.Property>;

/** The first value of a property as it is written in jCal (RFC 7265): nothing is worked out of it. */
function rawOf(property: Property): string {
  const [, , , value] = property.toJSON();
  return typeof value === "string" ? value : String(value ?? "");
}

function textOf(component: Component, name: string): string {
  const property = component.getFirstProperty(name);
  return property === null ? "" : rawOf(property);
}

const timeOfDay = /T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ?$/;

/** A time as an event keeps it, and the zone it is of. */
interface ReadTime {
  readonly value: string;
  readonly zone: string | null;
}

/** @returns why it cannot be read, where it cannot */
function timeOf(property: Property): ReadTime | string {
  const raw = rawOf(property);
  if (!calendarDay.safeParse(raw.slice(0, 10)).success) return `${raw} is no day`;
  if (raw.length === "2026-11-27".length) return { value: raw, zone: null };
  if (!timeOfDay.test(raw)) return `${raw} is no time`;
  if (raw.endsWith("Z")) return { value: raw.slice(0, -1), zone: "UTC" };
  const tzid = property.getParameter("tzid");
  if (tzid === undefined) return { value: raw, zone: null };
  const zone = zoneOfTzid(String(tzid));
  return zone === undefined ? `its time zone ${String(tzid)} is not known` : { value: raw, zone };
}

/** The library throws where a value is not of its type, a rule of a series for example. */
function eventOrWhy(component: Component): Draft<"event"> | Untaken {
  try {
    return eventOf(component);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { title: textOf(component, "summary").trim() || "(no title)", why: `it is not valid: ${why}` };
  }
}

function eventOf(component: Component): Draft<"event"> | Untaken {
  const title = textOf(component, "summary").trim() || "(no title)";
  const uid = textOf(component, "uid").trim();
  if (uid === "") return { title, why: "it has no UID" };
  const startProperty = component.getFirstProperty("dtstart");
  if (startProperty === null) return { title, why: "it has no start" };
  const start = timeOf(startProperty);
  if (typeof start === "string") return { title, why: start };
  const end = endOf(component, start);
  if (typeof end === "string") return { title, why: end };
  const recurrenceProperty = component.getFirstProperty("recurrence-id");
  const one = recurrenceProperty === null ? { value: "" } : timeOf(recurrenceProperty);
  if (typeof one === "string") return { title, why: one };
  const stamp = component.getFirstProperty("dtstamp");
  const stampedAt = stamp === null ? Number.NaN : Date.parse(rawOf(stamp));
  const sequence = Number(textOf(component, "sequence"));
  return {
    uid,
    title: title.slice(0, 500),
    start: start.value,
    end: end.value,
    zone: start.zone,
    isAllDay: !start.value.includes("T"),
    place: textOf(component, "location").slice(0, 1_000),
    note: textOf(component, "description").slice(0, 100_000),
    people: peopleOf(component),
    status: statusOf(component),
    recurrenceId: one.value,
    sequence: Number.isInteger(sequence) && sequence >= 0 ? sequence : 0,
    stampedAt: Number.isNaN(stampedAt) ? null : stampedAt,
    recurrence: ["rrule", "rdate", "exdate"].flatMap((name) =>
      component.getAllProperties(name).map((property) => property.toICALString()),
    ),
  };
}

/** The end as clocks show it where the event starts. @returns why it cannot be read, where it cannot */
function endOf(component: Component, start: ReadTime): ReadTime | string {
  const property = component.getFirstProperty("dtend");
  const isAllDay = !start.value.includes("T");
  if (property !== null) {
    const end = timeOf(property);
    if (typeof end === "string" || end.zone === null || start.zone === null || end.zone === start.zone) return end;
    return { value: localTimeAt(momentOf(end.value, end.zone), start.zone), zone: start.zone };
  }
  const duration = component.getFirstPropertyValue("duration");
  if (duration !== null && typeof duration === "object" && "toSeconds" in duration) {
    const seconds = Number(duration.toSeconds());
    if (!(seconds >= 0 && seconds <= mostSeconds)) return "its duration is not one";
    if (isAllDay) return { ...start, value: dayAfter(start.value, Math.max(1, Math.round(seconds / 86_400))) };
    return { ...start, value: new Date(Date.parse(`${start.value}Z`) + seconds * 1_000).toISOString().slice(0, 19) };
  }
  return isAllDay ? { ...start, value: dayAfter(start.value, 1) } : start;
}

function statusOf(component: Component): "confirmed" | "tentative" | "cancelled" {
  const status = textOf(component, "status").toLowerCase();
  return status === "tentative" || status === "cancelled" ? status : "confirmed";
}

/** Names, else addresses, of those who take part. */
function peopleOf(component: Component): string[] {
  const attendees = component.getAllProperties("attendee").map((property) => {
    const name = property.getParameter("cn");
    return typeof name === "string" && name.trim() !== "" ? name.trim() : rawOf(property).replace(/^mailto:/i, "");
  });
  const contacts = component.getAllProperties("contact").map(rawOf);
  return [...new Set([...contacts, ...attendees])].filter((each) => each.trim() !== "").slice(0, 500);
}

const invalid = (cause?: unknown) =>
  new DeviceError("import_invalid", {
    sentence: "This is no iCalendar file (RFC 5545); give one that begins with BEGIN:VCALENDAR. Nothing was taken.",
    cause,
  });
