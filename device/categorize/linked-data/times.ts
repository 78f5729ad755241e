import { localTimeAt, momentOf } from "../../work/dates/zone.ts";
import { calendarDay, localTime } from "../../work/entities.ts";

/** A day or a time as it is kept. */
export interface ReadTime {
  /** A day, or what clocks show in `zone`. */
  readonly value: string;
  /** Null: of no zone, or a day. */
  readonly zone: string | null;
}

const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d))?(?:\.\d{1,9})?\s*(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * A date or time of schema.org (ISO 8601). One with an offset names no zone: it is shown as in the person's own where
 * clocks there show the same, else by the whole hours of its offset (`Etc/GMT+8` is UTC-8, as POSIX has it), else in UTC.
 *
 * @returns undefined when it is none, or of a day that does not exist
 */
export function timeIn(text: string, ownZone: string): ReadTime | undefined {
  const [, day, minutes, seconds = "00", offset] = written.exec(text.trim()) ?? [];
  if (day === undefined || !calendarDay.safeParse(day).success) return undefined;
  if (minutes === undefined) return { value: day, zone: null };
  const local = `${day}T${minutes}:${seconds}`;
  if (!localTime.safeParse(local).success) return undefined;
  if (offset === undefined) return { value: local, zone: null };
  const colon = offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset.toUpperCase();
  const ms = Date.parse(`${local}${colon}`);
  if (Number.isNaN(ms)) return undefined;
  if (localTimeAt(ms, ownZone) === local) return { value: local, zone: ownZone };
  const hours = (Date.parse(`${local}Z`) - ms) / 3_600_000;
  if (hours === 0 || !Number.isInteger(hours) || hours < -12 || hours > 14) {
    return { value: localTimeAt(ms, "UTC"), zone: "UTC" };
  }
  return { value: local, zone: `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}` };
}

/** The end as clocks show it where it begins; undefined where it cannot be told, or lies before the start. */
export function endIn(text: string, start: ReadTime, ownZone: string): string | undefined {
  const end = timeIn(text, ownZone);
  if (end === undefined || end.value.includes("T") !== start.value.includes("T")) return undefined;
  if ((end.zone === null) !== (start.zone === null)) return undefined;
  const value =
    end.zone === null || start.zone === null || end.zone === start.zone
      ? end.value
      : localTimeAt(momentOf(end.value, end.zone), start.zone);
  return value < start.value ? undefined : value;
}
