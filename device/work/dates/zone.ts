const dayMs = 24 * 3_600_000;

/** A day and a time where somebody is: `2026-11-27T17:00:00`, without a zone. */
export type LocalTime = string;

/** The IANA zone this machine is set to; UTC where it names none that is known. */
export function systemZone(): string {
  // Of a `TZ` that is empty or unknown the engine says `Etc/Unknown`, which it takes nowhere, or nothing at all.
  const zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === undefined || zone === "Etc/Unknown" ? "UTC" : zone;
}

/** UTC as POSIX spells it. */
const posixUtc = /^(?:UTC|GMT)?-?0?$/;

/** What a person is told whose `TZ` names no zone that is known here. @returns undefined where it counts, or is not set */
export function ignoredZone(given = ""): string | undefined {
  if (posixUtc.test(given) || systemZone() !== "UTC" || isKnownZone(given.replace(/^:/, ""))) return undefined;
  return (
    `TZ=${given} names no time zone that is known here, so times are read and shown in UTC. ` +
    "Set it to one such as Europe/Berlin, or unset it."
  );
}

function isKnownZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    // It says so of a name that it does not know.
    return false;
  }
}

/** What clocks show in a zone at a moment. @param zone an IANA name */
export function localTimeAt(ms: number, zone: string): LocalTime {
  return withinCalendar(wallMs(ms, zone)).toISOString().slice(0, 19);
}

/** The same with how far they are ahead of UTC there: `2026-11-27T17:00:00+01:00`. */
export function offsetTimeAt(ms: number, zone: string): string {
  // Before 1900 clocks were ahead by seconds too, which the form has no place for.
  const minutes = Math.trunc((Date.parse(`${localTimeAt(ms, zone)}Z`) - ms) / 60_000);
  const two = (part: number) => String(Math.trunc(part)).padStart(2, "0");
  const ahead = `${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
  return `${localTimeAt(ms + minutes * 60_000, "UTC")}${ahead}`;
}

/**
 * The moment at which clocks in a zone show a time, in milliseconds since the epoch: the first of two where a clock is set
 * back; where it is set forward, as if it had not been yet (RFC 5545 §3.3.5).
 */
export function momentOf(local: LocalTime, zone: string): number {
  const shown = Date.parse(`${local}Z`);
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

/** A letter's dates are all read at one moment, and to ask the calendar takes longer than to read one. */
let lastShown = { ms: Number.NaN, zone: "", shownMs: 0 };

/** What clocks in a zone show, as if that were UTC. */
function wallMs(ms: number, zone: string): number {
  if (lastShown.ms !== ms || lastShown.zone !== zone) lastShown = { ms, zone, shownMs: askedWallMs(ms, zone) };
  return lastShown.shownMs;
}

function askedWallMs(ms: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  // Date.UTC takes the years before 100 for those of the twentieth century.
  const day = new Date(0).setUTCFullYear(part("year"), part("month") - 1, part("day"));
  return day + ((part("hour") * 60 + part("minute")) * 60 + part("second")) * 1_000;
}

/** A day so many days later; the calendar ends with the year 9999. */
export const dayAfter = (day: string, days: number): string =>
  withinCalendar(Date.parse(`${day}T00:00:00Z`) + days * dayMs)
    .toISOString()
    .slice(0, 10);

const [firstMs, lastMs] = [Date.parse("0000-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59Z")];
const withinCalendar = (ms: number): Date => new Date(Math.min(Math.max(ms, firstMs), lastMs));
