import { localTimeAt, momentOf, systemZone } from "../../../work/dates/zone.ts";
import { isDay } from "./day.ts";

/** What is said of when something is; of a draft, a task or an event. */
export interface SaidWhen {
  readonly due?: string | null;
  readonly start?: string | null;
  readonly end?: string | null;
  readonly zone?: string | null;
  readonly isAllDay?: boolean;
}

const dayOnly = "2026-11-27".length;
const dayMs = 86_400_000;

/** Making one takes longer than all of a row else. */
const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(language: string, name: "day" | "time" | "both" | "moment"): Intl.DateTimeFormat {
  const key = `${language} ${name}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const date = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
  const clock = { hour: "numeric", minute: "2-digit" } as const;
  const fresh = new Intl.DateTimeFormat(language, {
    ...(name === "time" ? clock : date),
    ...(name === "both" || name === "moment" ? clock : {}),
    // What clocks show somewhere is read, and shown, as if it were UTC.
    ...(name === "moment" ? {} : { timeZone: "UTC" }),
  });
  formats.set(key, fresh);
  return fresh;
}

/** Milliseconds of a day or local time, as if it were UTC; undefined of what is none. */
function asUtc(local: string): number | undefined {
  const ms = Date.parse(isDay(local) ? local : `${local}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** A time as the reader's clocks show it, as if it were UTC. */
function hereMs(shown: number, zone: string | null | undefined): number {
  if (zone == null || zone === systemZone()) return shown;
  const moment = momentOf(new Date(shown).toISOString().slice(0, -1), zone);
  return Date.parse(`${localTimeAt(moment, systemZone())}Z`);
}

/**
 * When an event begins where it takes place, to stand beside what the reader's clocks show, with its day where that is another
 * one; empty where it is the same. UTC is no place: programs write it for events of any.
 */
function besideText(shown: number, zone: string | null | undefined, language: string): string {
  if (zone == null || zone === systemZone() || zone === "UTC") return "";
  const isSameDay = Math.floor(hereMs(shown, zone) / dayMs) === Math.floor(shown / dayMs);
  return ` (${formatOf(language, isSameDay ? "time" : "both").format(shown)} ${zone})`;
}

/** A day: `Fri, 27 Nov 2026`. */
export const dayText = (day: string, language: string): string => {
  const ms = asUtc(day.slice(0, dayOnly));
  return ms === undefined ? day : formatOf(language, "day").format(ms);
};

/**
 * When something is due, or takes place, as the reader's clocks show it: `Thu, 3 Dec 2026, 15:00 (09:00 America/New_York)`.
 * Empty where nothing is said.
 */
export function whenText({ due, start, end, zone, isAllDay = false }: SaidWhen, language: string): string {
  if (start != null) {
    const last = isAllDay && end != null ? dayBefore(end) : null;
    if (isAllDay || isDay(start)) {
      return last !== null && last > start ? rangeText(start, last, language) : dayText(start, language);
    }
    const ms = asUtc(start);
    if (ms === undefined) return start;
    return `${formatOf(language, "both").format(hereMs(ms, zone))}${besideText(ms, zone, language)}`;
  }
  if (due == null) return "";
  const moment = isDay(due) ? Number.NaN : Date.parse(due);
  return Number.isNaN(moment) ? dayText(due, language) : formatOf(language, "moment").format(moment);
}

function rangeText(first: string, last: string, language: string): string {
  const [from, to] = [asUtc(first), asUtc(last)];
  return from === undefined || to === undefined ? first : formatOf(language, "day").formatRange(from, to);
}

function dayBefore(day: string): string {
  const ms = asUtc(day.slice(0, dayOnly));
  return ms === undefined ? day : new Date(ms - dayMs).toISOString().slice(0, dayOnly);
}

/** From when to when on a day, as the reader's clocks show it: `9:00–10:00 (17:00 Asia/Tokyo)`; empty of what lasts all day. */
export function hoursText({ start, end, zone, isAllDay = false }: SaidWhen, language: string): string {
  const [first, last] = [asUtc(start ?? ""), asUtc(end ?? "")];
  if (isAllDay || first === undefined) return "";
  const [from, to] = [hereMs(first, zone), hereMs(last ?? first, zone)];
  const format = formatOf(language, "time");
  const hours = to <= from || to - from >= dayMs ? format.format(from) : format.formatRange(from, to);
  return `${hours}${besideText(first, zone, language)}`;
}

/** A moment with its day of the week: what one snoozes until. */
export const momentText = (ms: number, language: string): string => formatOf(language, "moment").format(ms);
