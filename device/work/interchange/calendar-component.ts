import type ICAL from "ical.js";
import { dayAfter } from "../dates/zone.ts";
import { calendarDay, type Draft } from "../entities.ts";
import { timeOfSeries } from "../recurrence/time-of-series.ts";
import { inZone } from "../recurrence/times.ts";
import { zoneOfTzid } from "./calendar-zones.ts";

/** An event of a calendar file that was not taken, and why. */
export interface Untaken {
  readonly title: string;
  readonly why: string;
}

/** Ten years: longer lasts no event. */
const mostSeconds = 10 * 366 * 86_400;

/** A component of a calendar: VEVENT, VTODO. */
export type Component = InstanceType<typeof ICAL.Component>;
type Property = InstanceType<typeof ICAL.Property>;

/** The first value of a property as it is written in jCal (RFC 7265): nothing is worked out of it. */
export function rawOf(property: Property): string {
  const [, , , value] = property.toJSON();
  return typeof value === "string" ? value : String(value ?? "");
}

/** A property's first value; empty when there is none. */
export function textOf(component: Component, name: string): string {
  const property = component.getFirstProperty(name);
  return property === null ? "" : rawOf(property);
}

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
  const raw = rawOf(property);
  const day = raw.slice(0, 10);
  if (!calendarDay.safeParse(day).success) return `${raw} is no day`;
  if (raw === day) return { value: raw, zone: null };
  if (!timeOfDay.test(raw)) return `${raw} is no time`;
  if (raw.endsWith("Z")) return { value: raw.slice(0, -1), zone: "UTC" };
  const tzid = property.getParameter("tzid");
  if (tzid === undefined) return { value: raw, zone: null };
  const zone = zoneOfTzid(String(tzid));
  return zone === undefined ? { value: raw, zone: null, unknownZone: String(tzid) } : { value: raw, zone };
}

/** What it is called. */
export const titleOf = (component: Component): string => textOf(component, "summary").trim() || "(no title)";

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
    note: textOf(component, "description").slice(0, 100_000),
    people: peopleOf(component),
    status: statusOf(component),
    recurrenceId: timeOfSeries(one.value, one.zone ?? start.zone),
    sequence: sequenceOf(component),
    stampedAt: stampedAtOf(component),
    recurrence: ["rrule", "rdate", "exdate"].flatMap((name) =>
      component.getAllProperties(name).map((property) => property.toICALString()),
    ),
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
    return typeof end === "string" ? end : { value: inZone(end.value, end.zone, start.zone), zone: start.zone };
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

/** Whether it takes place (RFC 5545 §3.8.1.11). */
export function statusOf(component: Component): "confirmed" | "tentative" | "cancelled" {
  const status = textOf(component, "status").toLowerCase();
  return status === "tentative" || status === "cancelled" ? status : "confirmed";
}

/** Names, else addresses, of those who take part. */
export function peopleOf(component: Component): string[] {
  const attendees = component.getAllProperties("attendee").map((property) => {
    const name = property.getParameter("cn");
    return typeof name === "string" && name.trim() !== "" ? name.trim() : rawOf(property).replace(/^mailto:/i, "");
  });
  const contacts = component.getAllProperties("contact").map(rawOf);
  return [...new Set([...contacts, ...attendees])].filter((each) => each.trim() !== "").slice(0, 500);
}
