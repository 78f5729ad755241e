import { localTimeAt } from "../dates/zone.ts";
import { isZone } from "../entities.ts";
import { windowsZones } from "./windows-zones.ts";

/** America/Argentina/Buenos_Aires. Names of strangers may have a thousand, and to ask for each takes a while. */
const mostParts = 3;

/**
 * The IANA zone a TZID means: itself, what it ends with (`/freeassociation.sourceforge.net/Europe/Berlin`), or a name of
 * Windows. Of one of these no VTIMEZONE is asked: IANA's rules are newer.
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

/** No clocks were set by a law before: each place had its own, and no zone of IANA's has a change (tz database, theory.html). */
const firstLawsYear = 1800;
/** The last year that rules of its own are known for is 2087 (Africa/Casablanca): later ones repeat by their days of the week. */
const firstAlikeYear = 2101;

/**
 * The changes of a zone's clocks in some years, and before those of each year that follows on none what held then: what a
 * VTIMEZONE has to say (RFC 5545 §3.6.5) of times in those years. Other years are not looked at, however many lie in between;
 * nor are those that a look at another year tells of, so that the looks are bounded, whatever the years.
 */
export function zoneChanges(offsetAt: OffsetAt, years: ReadonlySet<number>): ZoneChange[] {
  const known = new Map<number, ZoneChange[]>();
  const changesOf = (year: number): ZoneChange[] => {
    if (year < firstLawsYear) return [];
    const alike = yearAlike(year);
    const changes = known.get(alike) ?? changesIn(offsetAt, alike);
    known.set(alike, changes);
    return alike === year ? changes : changes.map((each) => ({ ...each, at: `${year}${each.at.slice(4)}` }));
  };
  return [...years]
    .sort((a, b) => a - b)
    .flatMap((year) => [...(years.has(year - 1) ? [] : [held(offsetAt, year)]), ...changesOf(year)]);
}

/** Of the years whose clocks change by the same rules on the same days of the same length of year, the first. */
function yearAlike(year: number): number {
  let alike = Math.min(year, firstAlikeYear);
  while (
    startOf(alike + 1) - startOf(alike) !== startOf(year + 1) - startOf(year) ||
    weekday(alike) !== weekday(year)
  ) {
    alike += 1;
  }
  return alike;
}

const weekday = (year: number): number => new Date(startOf(year)).getUTCDay();

function held(offsetAt: OffsetAt, year: number): ZoneChange {
  const offset = offsetAt(lookedAt(startOf(year)));
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
const startOf = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1);
const lookedAt = (ms: number): number => Math.min(Math.max(ms, firstMs), lastMs);
