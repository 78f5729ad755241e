import type { CalendarEvent } from "../entities.ts";
import { linesForOthers } from "../recurrence/lines-for-others.ts";
import { shownTimeOfSeries, standsFor } from "../recurrence/time-of-series.ts";
import { offsetIn, type ZoneChange, zoneChanges, zoneOfTzid } from "./calendar-zones.ts";

/** For how many years after its first, and after it was changed last, a series' zone is described, and before that for how many. */
const seriesYears = { after: 10, before: 30 } as const;

/**
 * Events as an iCalendar file (RFC 5545). Who takes part is written as CONTACT and not as ATTENDEE: programs send
 * invitations to those, and nothing here sends.
 */
export async function writeCalendar(events: readonly CalendarEvent[]): Promise<string> {
  const { default: ICAL } = await import("ical.js");
  // The blank before what goes on is one of a line's 75 octets (§3.1), and the library does not count it.
  ICAL.foldLength = 74;
  const calendar = new ICAL.Component("vcalendar");
  calendar.addPropertyWithValue("version", "2.0");
  calendar.addPropertyWithValue("prodid", "-//Scouts//Events//EN");
  for (const [tzid, years] of yearsInZones(events))
    calendar.addSubcomponent(zoneComponent(tzid, zoneChanges(offsetIn(zoneOfTzid(tzid) ?? tzid), years)));
  for (const event of events) calendar.addSubcomponent(eventComponent(event));
  return `${calendar.toString()}\r\n`;

  function zoneComponent(tzid: string, changes: readonly ZoneChange[]) {
    const component = new ICAL.Component("vtimezone");
    component.addPropertyWithValue("tzid", tzid);
    const least = Math.min(...changes.map(({ to }) => to));
    for (const { at, from, to } of changes) {
      const part = new ICAL.Component(to > least ? "daylight" : "standard");
      part.addProperty(new ICAL.Property(["dtstart", {}, "date-time", at]));
      part.addProperty(new ICAL.Property(["tzoffsetfrom", {}, "utc-offset", offsetText(from)]));
      part.addProperty(new ICAL.Property(["tzoffsetto", {}, "utc-offset", offsetText(to)]));
      component.addSubcomponent(part);
    }
    return component;
  }

  function eventComponent(event: CalendarEvent) {
    const component = new ICAL.Component("vevent");
    const text = (name: string, value: string) => {
      const lines = asLines(value);
      if (lines !== "") component.addPropertyWithValue(name, lines);
    };
    const time = (name: string, value: string) => {
      const { zone } = event;
      const isDay = !value.includes("T");
      const isUtc = (zone === "UTC" || value.endsWith("Z")) && !isDay;
      const parameters = zone === null || isUtc || isDay ? {} : { tzid: zone };
      const jcal = [name, parameters, isDay ? "date" : "date-time", isUtc ? `${value.replace(/Z$/, "")}Z` : value];
      component.addProperty(new ICAL.Property(jcal));
    };
    text("uid", event.uid);
    const stamp = new Date(event.stampedAt ?? event.updatedAt).toISOString();
    component.addProperty(new ICAL.Property(["dtstamp", {}, "date-time", `${stamp.slice(0, 19)}Z`]));
    component.addPropertyWithValue("sequence", event.sequence);
    if (event.recurrenceId !== "") time("recurrence-id", namedTime(event));
    text("summary", event.title);
    time("dtstart", event.start);
    time("dtend", event.end);
    for (const line of linesForOthers(event)) component.addProperty(ICAL.Property.fromString(line));
    text("location", event.place);
    text("description", event.note);
    for (const person of event.people) text("contact", person);
    text("status", event.status.toUpperCase());
    return component;
  }
}

/** The library writes a line end of another system, and signs that are none of a text (RFC 5545 §3.3.11), as they are. */
const asLines = (text: string): string => text.replace(/\r\n?/g, "\n").replace(/(?![\t\n])\p{Cc}/gu, "");

/** Which time of its series an event stands for, as clocks show it in its own zone. */
const namedTime = (event: CalendarEvent): string => shownTimeOfSeries(standsFor(event), event.zone);

/** `+05:30` */
function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}

/**
 * The years of each TZID that times of events are in: what lies between a start and an end of other years says nothing of them.
 * Those of dates that are added to a series, or left out, are written as they were read, Windows' names too (§3.2.19).
 */
function yearsInZones(events: readonly CalendarEvent[]): Map<string, Set<number>> {
  const zones = new Map<string, Set<number>>();
  for (const event of events) {
    const { zone, start, end } = event;
    const recurrence = linesForOthers(event);
    const add = (tzid: string, time: string, most = 0) => {
      const years = zones.get(tzid) ?? new Set();
      zones.set(tzid, years);
      for (let after = 0; after <= most; after += 1) years.add(Math.min(yearOf(time) + after, lastYear));
    };
    for (const line of recurrence) {
      const [, tzid] = /^(?:RDATE|EXDATE)[^:]{0,100}?;TZID="?([^":;]{1,100})"?[:;]/i.exec(line) ?? [];
      if (tzid === undefined || tzid === zone || zoneOfTzid(tzid) === undefined) continue;
      for (const [day] of line.matchAll(/\b\d{8}(?=T)/g)) add(tzid, day);
    }
    if (zone === null || zone === "UTC") continue;
    for (const time of event.recurrenceId === "" ? [start, end] : [start, end, namedTime(event)])
      add(zone, time, recurrence.length > 0 ? seriesYears.after : 0);
    // It goes on, and who is read by the zone in the file alone would be an hour off in the summers of today.
    const year = new Date(event.updatedAt).getUTCFullYear();
    const from = Math.max(yearOf(start), year - seriesYears.before);
    if (recurrence.length > 0 && from <= year) add(zone, String(from), year - from + seriesYears.after);
  }
  return zones;
}

/** The calendar ends with it. */
const lastYear = 9999;
const yearOf = (time: string): number => Number(time.slice(0, 4));
