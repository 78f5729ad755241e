import { htmlText } from "../../folders/extraction/text/html-text.ts";
import { dayAfter, localTimeAt, momentOf } from "../dates/zone.ts";
import { calendarDay, type Draft } from "../entities.ts";
import { recurrenceLines } from "../recurrence/lines-read.ts";
import { timeOfSeries } from "../recurrence/time-of-series.ts";
import { inZone } from "../recurrence/times.ts";
import { zoneOfTzid } from "./calendar-zones.ts";
import { type Component, type Property, rawOf, textOf } from "./component-values.ts";
import { describedZone } from "./described-zone.ts";

/** An event of a calendar file that was not taken, and why. */
export interface Untaken {
  readonly title: string;
  readonly why: string;
}

/** Ten years: longer lasts no event. */
const mostSeconds = 10 * 366 * 86_400;

/** The VCALENDAR a property is in. */
const calendarOf = (property: Property): Component | null => property.parent?.parent ?? null;

const timeOfDay = /T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ?$/;

/** A time as an event keeps it, and the zone it is of. */
export interface ReadTime {
  readonly value: string;
  readonly zone: string | null;
  /** A TZID that nobody knows: the value is what clocks show there. */
  readonly unknownZone?: string;
}

/** @returns why it cannot be read, where it cannot */
export function timeOf(property: Property): ReadTime | string {
  // Days that do not say they are one (VALUE=DATE), and times without seconds: the library leaves the places of these empty.
  const raw = rawOf(property)
    .replace(/T::$/, "")
    .replace(/(T\d\d:\d\d:)(Z?)$/, "$100$2");
  const day = raw.slice(0, 10);
  if (!calendarDay.safeParse(day).success) return `${raw} is no day`;
  if (raw === day) return { value: raw, zone: null };
  if (!timeOfDay.test(raw)) return `${raw} is no time`;
  if (raw.endsWith("Z")) return { value: raw.slice(0, -1), zone: "UTC" };
  const tzid = property.getParameter("tzid");
  if (tzid === undefined) return { value: raw, zone: null };
  const calendar = calendarOf(property);
  const zone =
    zoneOfTzid(String(tzid)) ??
    (calendar === null ? undefined : describedZone(calendar, String(tzid), Number(raw.slice(0, 4))));
  return zone === undefined ? { value: raw, zone: null, unknownZone: String(tzid) } : { value: raw, zone };
}

/** What it is called. */
export const titleOf = (component: Component): string => textOf(component, "summary").trim() || "(no title)";

/** What it says of itself: where there are no plain words, those of its HTML (X-ALT-DESC of Outlook, RFC 9073 §6.5). */
export function descriptionOf(component: Component): string {
  const plain = textOf(component, "description");
  if (plain.trim() !== "") return plain;
  const styled = ["styled-description", "x-alt-desc"]
    .map((name) => textOf(component, name))
    .find((each) => each !== "");
  return styled === undefined ? plain : htmlText(styled.replace(/\\([nN,;\\])/g, unescapedSign));
}

const unescapedSign = (_: string, sign: string): string => (/n/i.test(sign) ? "\n" : sign);

/** How often it was revised (RFC 5545 §3.8.7.4). */
export function sequenceOf(component: Component): number {
  const sequence = Number(textOf(component, "sequence"));
  return Number.isSafeInteger(sequence) && sequence >= 0 ? sequence : 0;
}

/** When that revision was written, in milliseconds since the epoch; null where it does not say. */
export function stampedAtOf(component: Component): number | null {
  const stamp = component.getFirstProperty("dtstamp");
  const stampedAt = stamp === null ? Number.NaN : Date.parse(rawOf(stamp));
  return Number.isNaN(stampedAt) ? null : stampedAt;
}

/**
 * A VEVENT as it is kept, or why it cannot be.
 *
 * @param onUnknownZone what becomes of times in a zone nobody knows; they are refused without it
 */
export function eventOf(component: Component, onUnknownZone?: (tzid: string) => void): Draft<"event"> | Untaken {
  const title = titleOf(component);
  const uid = textOf(component, "uid").trim();
  if (uid === "") return { title, why: "it has no UID" };
  const startProperty = component.getFirstProperty("dtstart");
  if (startProperty === null) return { title, why: "it has no start" };
  const start = timeOf(startProperty);
  if (typeof start === "string") return { title, why: start };
  if (start.unknownZone !== undefined) {
    if (onUnknownZone === undefined) return { title, why: `its time zone ${start.unknownZone} is not known` };
    onUnknownZone(start.unknownZone);
  }
  const end = endOf(component, start);
  if (typeof end === "string") return { title, why: end };
  const recurrenceProperty = component.getFirstProperty("recurrence-id");
  const one = recurrenceProperty === null ? { value: "", zone: null } : timeOf(recurrenceProperty);
  if (typeof one === "string") return { title, why: one };
  return {
    uid,
    title: title.slice(0, 500),
    start: start.value,
    end: end.value,
    zone: start.zone,
    isAllDay: !start.value.includes("T"),
    place: textOf(component, "location").slice(0, 1_000),
    note: descriptionOf(component).slice(0, 100_000),
    people: peopleOf(component),
    status: statusOf(component),
    recurrenceId: timeOfSeries(one.value, one.zone ?? start.zone),
    sequence: sequenceOf(component),
    stampedAt: stampedAtOf(component),
    recurrence: recurrenceLines(component),
  };
}

/** Whether it is of one of a series and all that follow it (RFC 5545 §3.2.13), which is not worked out. */
export const isOfLaterOnes = (component: Component): boolean =>
  String(component.getFirstProperty("recurrence-id")?.getParameter("range") ?? "").toUpperCase() === "THISANDFUTURE";

/** The end as clocks show it where the event starts. @returns why it cannot be read, where it cannot */
function endOf(component: Component, start: ReadTime): ReadTime | string {
  const property = component.getFirstProperty("dtend");
  const isAllDay = !start.value.includes("T");
  if (property !== null) {
    const end = timeOf(property);
    if (typeof end !== "string" && end.unknownZone !== start.unknownZone) {
      return `the time zone ${end.unknownZone ?? start.unknownZone ?? ""} is not known`;
    }
    return typeof end === "string" ? end : { value: asStartIs(start, end), zone: start.zone };
  }
  const duration = component.getFirstPropertyValue("duration");
  if (duration !== null && typeof duration === "object" && "toSeconds" in duration) {
    const seconds = Number(duration.toSeconds());
    if (!(seconds >= 0 && seconds <= mostSeconds)) return "its duration is not one";
    if (isAllDay) return { ...start, value: dayAfter(start.value, Math.max(1, Math.round(seconds / 86_400))) };
    // Days and weeks are those of the calendar, hours and what is less pass by as they are (§3.3.6).
    const days = 7 * partOf(duration, "weeks") + partOf(duration, "days");
    const shown = `${dayAfter(start.value.slice(0, 10), days)}${start.value.slice(10)}`;
    return { ...start, value: later(shown, seconds - days * 86_400, start.zone) };
  }
  return isAllDay ? { ...start, value: dayAfter(start.value, 1) } : start;
}

/** An end is a day where the start is one, a later one, and else a time (§3.6.1): programs of old mix these. */
function asStartIs({ value, zone }: ReadTime, end: ReadTime): string {
  if (!value.includes("T")) {
    const day = end.value.slice(0, 10);
    const isDayOfItsOwn = day === value || (end.value.includes("T") && !end.value.endsWith("T00:00:00"));
    return isDayOfItsOwn ? dayAfter(day, 1) : day;
  }
  return end.value.includes("T") ? inZone(end.value, end.zone, zone) : `${end.value}T00:00:00`;
}

const partOf = (duration: object, name: string): number => Number(Reflect.get(duration, name) ?? 0);

/** What clocks show so many seconds later. */
function later(local: string, seconds: number, zone: string | null): string {
  const from = zone === null ? Date.parse(`${local}Z`) : momentOf(local, zone);
  return localTimeAt(from + seconds * 1_000, zone ?? "UTC");
}

/** Whether it takes place (RFC 5545 §3.8.1.11). */
export function statusOf(component: Component): "confirmed" | "tentative" | "cancelled" {
  const status = textOf(component, "status").toLowerCase();
  return status === "tentative" || status === "cancelled" ? status : "confirmed";
}

/** The name of somebody who takes part, else the address; empty where an address is none (`invalid:nomail`, `urn:uuid:…`). */
export function personOf(property: Property): string {
  const said = (name: string) => String(property.getParameter(name) ?? "").trim();
  const address = /^(?:mailto:)?([^\s:/@]+@[^\s:/@]+)$/i.exec(rawOf(property).trim())?.[1] ?? "";
  return said("cn") || said("email") || address;
}

/** Names, else addresses, of those who take part. */
export function peopleOf(component: Component): string[] {
  const attendees = component.getAllProperties("attendee").map(personOf);
  const contacts = component.getAllProperties("contact").map(rawOf);
  return [...new Set([...contacts, ...attendees])].filter((each) => each.trim() !== "").slice(0, 500);
}
