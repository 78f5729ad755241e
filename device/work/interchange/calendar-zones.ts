import { localTimeAt } from "../dates/zone.ts";
import { isZone } from "../entities.ts";

/** Names that Windows and Outlook give zones, with the zone of their first territory (Unicode CLDR, windowsZones). */
const windowsZones: Readonly<Record<string, string>> = {
  "Dateline Standard Time": "Etc/GMT+12",
  "Hawaiian Standard Time": "Pacific/Honolulu",
  "Alaskan Standard Time": "America/Anchorage",
  "Pacific Standard Time": "America/Los_Angeles",
  "US Mountain Standard Time": "America/Phoenix",
  "Mountain Standard Time": "America/Denver",
  "Central Standard Time": "America/Chicago",
  "Eastern Standard Time": "America/New_York",
  "Atlantic Standard Time": "America/Halifax",
  "Newfoundland Standard Time": "America/St_Johns",
  "E. South America Standard Time": "America/Sao_Paulo",
  "Argentina Standard Time": "America/Buenos_Aires",
  "GMT Standard Time": "Europe/London",
  "Greenwich Standard Time": "Atlantic/Reykjavik",
  "W. Europe Standard Time": "Europe/Berlin",
  "Central Europe Standard Time": "Europe/Budapest",
  "Central European Standard Time": "Europe/Warsaw",
  "Romance Standard Time": "Europe/Paris",
  "GTB Standard Time": "Europe/Bucharest",
  "E. Europe Standard Time": "Europe/Chisinau",
  "FLE Standard Time": "Europe/Kiev",
  "Turkey Standard Time": "Europe/Istanbul",
  "Israel Standard Time": "Asia/Jerusalem",
  "South Africa Standard Time": "Africa/Johannesburg",
  "Egypt Standard Time": "Africa/Cairo",
  "Russian Standard Time": "Europe/Moscow",
  "Arab Standard Time": "Asia/Riyadh",
  "Arabian Standard Time": "Asia/Dubai",
  "Iran Standard Time": "Asia/Tehran",
  "Pakistan Standard Time": "Asia/Karachi",
  "India Standard Time": "Asia/Calcutta",
  "SE Asia Standard Time": "Asia/Bangkok",
  "China Standard Time": "Asia/Shanghai",
  "Singapore Standard Time": "Asia/Singapore",
  "Tokyo Standard Time": "Asia/Tokyo",
  "Korea Standard Time": "Asia/Seoul",
  "AUS Eastern Standard Time": "Australia/Sydney",
  "E. Australia Standard Time": "Australia/Brisbane",
  "W. Australia Standard Time": "Australia/Perth",
  "New Zealand Standard Time": "Pacific/Auckland",
};

/** America/Argentina/Buenos_Aires. Names of strangers may have a thousand, and to ask for each takes a while. */
const mostParts = 3;

/**
 * The IANA zone a TZID means: itself, what it ends with (`/freeassociation.sourceforge.net/Europe/Berlin`), or a name of
 * Windows. What a VTIMEZONE in the file says of it is not asked: its rules may be a bomb, and IANA's are newer.
 */
export function zoneOfTzid(tzid: string): string | undefined {
  if (Object.hasOwn(windowsZones, tzid)) return windowsZones[tzid];
  const parts = tzid.split("/").slice(-mostParts);
  const ends = parts.map((_, at) => parts.slice(at).join("/"));
  return ends.find((name) => name !== "" && isZone(name));
}

/** A change of a zone's clocks: when, as the clocks showed before it, and the offsets before and after, in minutes. */
export interface ZoneChange {
  readonly at: string;
  readonly from: number;
  readonly to: number;
}

/** No zone has changed its clocks twice within less than a week (America/Boa_Vista, in October 2000): none is stepped over. */
const stepMs = 5 * 24 * 3_600_000;
/** What lies at the very ends of the calendar cannot be told as a local time of every zone. */
const [firstMs, lastMs] = [Date.parse("0000-01-02T00:00:00Z"), Date.parse("9999-12-30T00:00:00Z")];

/** How far a zone's clocks are ahead of UTC at a moment, in minutes. */
export type OffsetAt = (ms: number) => number;

export const offsetIn =
  (zone: string): OffsetAt =>
  (ms) =>
    Math.round((Date.parse(`${localTimeAt(ms, zone)}Z`) - ms) / 60_000);

/**
 * The changes of a zone's clocks in some years, and before those of each year that follows on none what held then: what a
 * VTIMEZONE has to say (RFC 5545 §3.6.5) of times in those years. Other years are not looked at, however many lie in between.
 */
export function zoneChanges(offsetAt: OffsetAt, years: ReadonlySet<number>): ZoneChange[] {
  return [...years]
    .sort((a, b) => a - b)
    .flatMap((year) => [...(years.has(year - 1) ? [] : [held(offsetAt, year)]), ...changesIn(offsetAt, year)]);
}

function held(offsetAt: OffsetAt, year: number): ZoneChange {
  const offset = offsetAt(startOf(year));
  return { at: `${String(year).padStart(4, "0")}-01-01T00:00:00`, from: offset, to: offset };
}

function changesIn(offsetAt: OffsetAt, year: number): ZoneChange[] {
  const changes: ZoneChange[] = [];
  const end = startOf(year + 1);
  let from = offsetAt(startOf(year));
  for (let ms = startOf(year); ms < end; ms += stepMs) {
    const next = Math.min(ms + stepMs, end);
    const to = offsetAt(next);
    if (from !== to) changes.push(changeBetween(offsetAt, ms, next));
    from = to;
  }
  return changes;
}

function changeBetween(offsetAt: OffsetAt, fromMs: number, toMs: number): ZoneChange {
  const [from, to] = [offsetAt(fromMs), offsetAt(toMs)];
  let [low, high] = [fromMs, toMs];
  while (high - low > 60_000) {
    const middle = Math.floor((low + high) / 120_000) * 60_000;
    if (offsetAt(middle) === from) low = middle;
    else high = middle;
  }
  return { at: new Date(high + from * 60_000).toISOString().slice(0, 19), from, to };
}

/** Date.UTC takes the years before 100 for those of the twentieth century. */
const startOf = (year: number): number => Math.min(Math.max(new Date(0).setUTCFullYear(year, 0, 1), firstMs), lastMs);
