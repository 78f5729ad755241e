import { dayNumber } from "../recurrence/days.ts";
import { seriesOf } from "../recurrence/series.ts";
import { offsetIn, type ZoneChange, zoneChanges, zoneOfTzid } from "./calendar-zones.ts";
import { type Component, textOf } from "./component-values.ts";
import { windowsZones } from "./windows-zones.ts";

/** A calendar names a few zones; each of them is compared with some hundred others, for so many years of all. */
const mostAsked = 20;
/** Programs list the changes of a century one by one. */
const mostObservances = 400;

const asked = new WeakMap<Component, Map<string, string | undefined>>();

/**
 * The IANA zone that a calendar describes under a TZID of its own (`Customized Time Zone`, `(UTC+01:00) Amsterdam, Berlin, …`): the
 * one its VTIMEZONE names, else one whose clocks change in that year as it says (RFC 5545 §3.6.5), by preference one the TZID
 * has a city of. Its rules are divided, as those of a series, and never run through.
 *
 * @param calendar the VCALENDAR the TZID is of
 * @param year of the time that is read
 * @returns undefined when there is no such VTIMEZONE, it is not understood, or clocks go like that nowhere
 */
export function describedZone(calendar: Component, tzid: string, year: number): string | undefined {
  const known = asked.get(calendar) ?? new Map<string, string | undefined>();
  asked.set(calendar, known);
  const key = `${year} ${tzid}`;
  if (known.has(key)) return known.get(key);
  if (known.size >= mostAsked) return ofNearestYear(known, tzid, year);
  const component = calendar.getAllSubcomponents("vtimezone").find((each) => textOf(each, "tzid") === tzid);
  const zone = component && (zoneOfTzid(textOf(component, "x-lic-location")) ?? zoneByClocks(component, tzid, year));
  known.set(key, zone);
  return zone;
}

/** Of a calendar of decades: what a zone was found to be for the nearest of the years that were asked. */
function ofNearestYear(known: ReadonlyMap<string, string | undefined>, tzid: string, year: number): string | undefined {
  const years = [...known].flatMap(([key, zone]) =>
    key.slice(key.indexOf(" ") + 1) === tzid && zone !== undefined
      ? [{ zone, away: Math.abs(Number.parseInt(key, 10) - year) }]
      : [],
  );
  return years.toSorted((one, other) => one.away - other.away)[0]?.zone;
}

interface Clocks {
  /** In minutes ahead of UTC, as the year begins. */
  readonly offset: number;
  readonly changes: readonly ZoneChange[];
}

function zoneByClocks(component: Component, tzid: string, year: number): string | undefined {
  const clocks = clocksOf(component, year);
  if (clocks === undefined) return undefined;
  const fitting = [...new Set(Object.values(windowsZones))].filter((zone) => goesLike(zone, clocks, year));
  const named = fitting.find((zone) => tzid.includes(cityOf(zone)));
  if (named !== undefined || clocks.changes.length > 0 || clocks.offset % 60 !== 0) return named ?? fitting[0];
  // Clocks that never change are of no place. These names count what is behind UTC.
  return zoneOfTzid(
    clocks.offset === 0 ? "UTC" : `Etc/GMT${clocks.offset > 0 ? "-" : "+"}${Math.abs(clocks.offset) / 60}`,
  );
}

const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");

function goesLike(zone: string, { offset, changes }: Clocks, year: number): boolean {
  const offsetAt = offsetIn(zone);
  if (offsetAt(Date.UTC(year, 0, 1, 12)) !== offset) return false;
  // What is easily told first: of most zones it is not asked when they change.
  if (changes.length === 0 && offsetAt(Date.UTC(year, 6, 1)) !== offset) return false;
  const [, ...own] = zoneChanges(offsetAt, new Set([year]));
  return JSON.stringify(own) === JSON.stringify(changes);
}

/** How clocks go in a year by a VTIMEZONE; undefined where it cannot be told. */
function clocksOf(component: Component, year: number): Clocks | undefined {
  const observances = component.getAllSubcomponents().slice(0, mostObservances + 1);
  if (observances.length === 0 || observances.length > mostObservances) return undefined;
  const changes: ZoneChange[] = [];
  const offsets = new Set<number>();
  for (const each of observances) {
    const [from, to] = [offsetOf(each, "tzoffsetfrom"), offsetOf(each, "tzoffsetto")];
    const onsets = onsetsOf(each, year);
    if (from === undefined || to === undefined || onsets === undefined) return undefined;
    offsets.add(to);
    changes.push(...onsets.map((at) => ({ at, from, to })));
  }
  changes.sort((one, other) => (one.at < other.at ? -1 : 1));
  const [first] = changes;
  const [only] = offsets;
  if (first === undefined && offsets.size > 1) return undefined;
  const offset = first?.from ?? only;
  return offset === undefined ? undefined : { offset, changes: changes.filter(({ from, to }) => from !== to) };
}

/** When an observance begins in a year, as clocks showed it before; undefined where not all of its rules are understood. */
function onsetsOf(observance: Component, year: number): string[] | undefined {
  const start = textOf(observance, "dtstart");
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(start) || Number.isNaN(Date.parse(`${start}Z`))) return undefined;
  const recurrence = ["rrule", "rdate"].flatMap((name) =>
    observance.getAllProperties(name).map((property) => property.toICALString()),
  );
  const series = seriesOf({ start, zone: null, isAllDay: false, recurrence });
  if (series.gap !== null) return undefined;
  const day = (date: string) => dayNumber(`${String(year).padStart(4, "0")}-${date}`);
  return [...series.startsBetween(day("01-01"), day("12-31"))];
}

/** Minutes ahead of UTC. */
function offsetOf(observance: Component, name: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d\d):([0-5]\d)/.exec(textOf(observance, name)) ?? [];
  if (sign === undefined || Number(hours) > 14) return undefined;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
