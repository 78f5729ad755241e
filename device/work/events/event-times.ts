import { DeviceError } from "../../errors.ts";
import { exactError } from "../../exact-sentences.ts";
import { type Here, type ReadDate, readDate, requireShown } from "../dates/read-date.ts";
import { dayAfter } from "../dates/zone.ts";
import { type CalendarEvent, isZone } from "../entities.ts";

/** What a person says of when an event is. */
export interface SaidTimes {
  readonly start?: string | undefined;
  /** The last day of an event that lasts all day; else when it ends, which may be a time alone: `18:30`. */
  readonly end?: string | undefined;
  /** An IANA zone; `floating` for the time wherever one is. */
  readonly zone?: string | undefined;
}

/** When an event is, as it is kept. */
export type EventTimes = Pick<CalendarEvent, "start" | "end" | "zone" | "isAllDay">;

const hourMs = 3_600_000;
const timeAlone = /^(\d{1,2}):(\d\d)$/;

/**
 * When an event is. Without an end it lasts an hour, or a day; one that is moved lasts as long as it did.
 *
 * @param before when it was, of one that is changed
 * @throws DeviceError `date_invalid`, `value_invalid`; `data.field` names the field
 */
export async function eventTimes(said: SaidTimes, here: Here, before?: EventTimes): Promise<EventTimes> {
  const zone = zoneSaid(said.zone, before, here);
  const there = { nowMs: here.nowMs, zone: zone ?? here.zone };
  const read = async (text: string, field: "start" | "end"): Promise<ReadDate> => {
    const date = await readDate(text, there, field);
    // A time wherever one is has no clocks that are set.
    if (zone !== null) requireShown(date, zone, text, field);
    return date;
  };
  const start = said.start === undefined ? undefined : await read(said.start, "start");
  if (start === undefined && before === undefined) {
    throw exactError("value_invalid", "start", {}, { data: { field: "start" } });
  }
  const from = start === undefined ? before : { isAllDay: start.time === null, start: written(start) };
  if (from === undefined) throw new DeviceError("value_invalid");
  const end =
    said.end === undefined
      ? lasting(from, start === undefined ? undefined : before, before)
      : await endSaid(said.end, from, (text) => read(text, "end"));
  return { start: from.start, end, isAllDay: from.isAllDay, zone: from.isAllDay ? null : zone };
}

function zoneSaid(said: string | undefined, before: EventTimes | undefined, here: Here): string | null {
  if (said === undefined) return before === undefined || before.isAllDay ? here.zone : before.zone;
  if (said === "floating") return null;
  if (isZone(said)) return said;
  throw exactError("value_invalid", "zone", { zone: said }, { data: { field: "zone" } });
}

const written = ({ day, time }: ReadDate): string => (time === null ? day : `${day}T${time}`);

type From = Pick<EventTimes, "start" | "isAllDay">;

/** The end of what has no other: as long after the start as before, else an hour or a day. */
function lasting(from: From, moved: EventTimes | undefined, before: EventTimes | undefined): string {
  if (moved === undefined && before !== undefined) return before.end;
  const asLong =
    moved !== undefined && moved.isAllDay === from.isAllDay
      ? Date.parse(asUtc(moved.end)) - Date.parse(asUtc(moved.start))
      : 0;
  const shown = Date.parse(asUtc(from.start)) + (asLong || (from.isAllDay ? 24 : 1) * hourMs);
  const end = new Date(shown).toISOString();
  // A year of five digits is written with a sign before it.
  if (!/^\d{4}-/.test(end)) throw beyond("start");
  return end.slice(0, from.isAllDay ? 10 : 19);
}

const beyond = (field: "start" | "end"): DeviceError => exactError("date_invalid", "beyond", {}, { data: { field } });

const asUtc = (value: string): string => (value.includes("T") ? `${value}Z` : value);

async function endSaid(text: string, from: From, read: (text: string) => Promise<ReadDate>): Promise<string> {
  const [, hours, minutes] = timeAlone.exec(text.trim()) ?? [];
  if (hours !== undefined && minutes !== undefined && !from.isAllDay) {
    return written(await read(`${from.start.slice(0, 10)}T${hours.padStart(2, "0")}:${minutes}`));
  }
  const end = await read(text);
  if (from.isAllDay !== (end.time === null)) {
    throw exactError("date_invalid", from.isAllDay ? "endDay" : "endTime", {}, { data: { field: "end" } });
  }
  if (!from.isAllDay) return written(end);
  // What is kept is the day after it, which may be the first one.
  if (end.day < from.start) throw exactError("value_invalid", "end", {}, { data: { field: "end" } });
  const after = dayAfter(end.day, 1);
  if (after === end.day) throw beyond("end");
  return after;
}
