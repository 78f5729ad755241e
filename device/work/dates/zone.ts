/** A day and a time where somebody is: `2026-11-27T17:00:00`, without a zone. */
export type LocalTime = string;

/** The IANA zone this machine is set to. */
export const systemZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What clocks show in a zone at a moment. @param zone an IANA name */
export function localTimeAt(ms: number, zone: string): LocalTime {
  return new Date(wallMs(ms, zone)).toISOString().slice(0, 19);
}

/**
 * The moment at which clocks in a zone show a time, in milliseconds since the epoch: the first of two where a clock is set
 * back; where it is set forward, as if it had not been yet (RFC 5545 §3.3.5).
 */
export function momentOf(local: LocalTime, zone: string): number {
  const shown = Date.parse(`${local}Z`);
  const dayMs = 24 * 3_600_000;
  const offsets = [shown - dayMs, shown + dayMs].map((ms) => wallMs(ms, zone) - ms);
  const [before = 0] = offsets;
  const fitting = offsets.map((offset) => shown - offset).filter((ms) => wallMs(ms, zone) === shown);
  return fitting.length === 0 ? shown - before : Math.min(...fitting);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const fresh = new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, fresh);
  return fresh;
}

/** What clocks in a zone show, as if that were UTC. */
function wallMs(ms: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}

/** A day so many days later. */
export function dayAfter(day: string, days: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10);
}
