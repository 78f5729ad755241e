import { isDay } from "../dates/due-day.ts";
import { localTimeAt, momentOf } from "../dates/zone.ts";
import { zoneOfTzid } from "../interchange/calendar-zones.ts";
import type { Steps } from "./steps.ts";

/** What it takes to read a date, to bring it into another zone, and to find a zone by its name: so many {@link Steps}. */
const stepsOf = { date: 20, moved: 100, zone: 1_000 } as const;

/** A date or time as content lines write it (RFC 5545 §3.3.5), as clocks of a zone show it; undefined where it is none. */
export function timeIn(value: string, zone: string | null): string | undefined {
  const [, year, month, date, time = ""] = /^(\d{4})-?(\d\d)-?(\d\d)(T.*)?$/i.exec(value.trim()) ?? [];
  if (year === undefined) return undefined;
  const day = `${year}-${month}-${date}`;
  if (Number.isNaN(Date.parse(`${day}T00:00:00Z`))) return undefined;
  const [, hours, minutes, seconds, utc] = /^T([01]\d|2[0-3]):?([0-5]\d):?([0-5]\d)(Z)?$/i.exec(time) ?? [];
  if (hours === undefined) return day;
  const local = `${day}T${hours}:${minutes}:${seconds}`;
  return utc === undefined ? local : inZone(local, "UTC", zone);
}

/** A local time of one zone as clocks of another show it; a day, and a time that is of no zone, stay as they are. */
export function inZone(local: string, from: string | null, to: string | null): string {
  if (isDay(local) || from === null || to === null || from === to) return local;
  return localTimeAt(from === "UTC" ? Date.parse(`${local}Z`) : momentOf(local, from), to);
}

/**
 * The values of lines such as `EXDATE;TZID=Europe/Berlin:20261127T170000,20261204T170000`, as clocks of a zone show them;
 * undefined for each that is no date. A zone nobody knows is taken for the event's own, as it was in its start.
 *
 * @param steps what it takes is spent here; when they are used up no more is read
 */
export function listedTimes(lines: readonly string[], zone: string | null, steps: Steps): (string | undefined)[] {
  const zones = new Map<string, string | null>();
  const zoneOf = (tzid: string | undefined): string | null => {
    if (tzid === undefined || tzid === zone) return zone;
    const known = zones.get(tzid);
    if (known !== undefined) return known;
    steps.spend(stepsOf.zone);
    const found = zoneOfTzid(tzid) ?? zone;
    zones.set(tzid, found);
    return found;
  };
  const times: (string | undefined)[] = [];
  for (const line of lines) {
    const [head = ""] = /^(?:[^":]|"[^"]*")*:/.exec(line) ?? [];
    const [, quoted, plain] = /;TZID=(?:"([^"]*)"|([^;:]*))/i.exec(head) ?? [];
    for (const value of line.slice(head.length).split(",")) {
      if (steps.areUsedUp) return times;
      steps.spend(stepsOf.date);
      // A period (RFC 5545 §3.3.9) begins with its start.
      const written = value.split("/", 1).join().trim();
      const from = /Z$/i.test(written) ? "UTC" : zoneOf(quoted ?? plain);
      if (from !== zone) steps.spend(stepsOf.moved);
      const time = timeIn(written, null);
      times.push(time === undefined ? undefined : inZone(time, from, zone));
    }
  }
  return times;
}
