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

const dayMs = 24 * 3_600_000;

/**
 * The changes of a zone's clocks between two years, both included, and what held before them as the first: what a
 * VTIMEZONE has to say (RFC 5545 §3.6.5).
 */
export function zoneChanges(zone: string, firstYear: number, lastYear: number): ZoneChange[] {
  const offset = (ms: number) => Math.round((Date.parse(`${localTimeAt(ms, zone)}Z`) - ms) / 60_000);
  const start = Date.UTC(firstYear, 0, 1);
  const end = Date.UTC(lastYear + 1, 0, 1);
  const changes: ZoneChange[] = [{ at: `${firstYear}-01-01T00:00:00`, from: offset(start), to: offset(start) }];
  for (let day = start; day < end; day += dayMs) {
    const [from, to] = [offset(day), offset(day + dayMs)];
    if (from === to) continue;
    let [low, high] = [day, day + dayMs];
    while (high - low > 60_000) {
      const middle = Math.floor((low + high) / 120_000) * 60_000;
      if (offset(middle) === from) low = middle;
      else high = middle;
    }
    changes.push({ at: new Date(high + from * 60_000).toISOString().slice(0, 19), from, to });
  }
  return changes;
}
