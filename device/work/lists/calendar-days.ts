import { dayAfter, momentOf } from "../dates/zone.ts";
import type { CalendarEvent } from "../entities.ts";
import { timeHere } from "../events/event-days.ts";
import { type Days, type Occurrence, occurrencesBetween } from "../events/occurrences.ts";

/** An event as it takes place once, where the person is. */
export interface ShownEvent extends Occurrence {
  /** When it begins and ends as clocks show it here: local times, or days (the last one included) when it lasts all day. */
  readonly start: string;
  readonly end: string;
}

/** A day of a calendar. */
export interface CalendarDay {
  readonly day: string;
  /** 23 or 25 where clocks are set. */
  readonly hours: number;
  /** How many take place. */
  readonly total: number;
  /** The first ones of them. */
  readonly shown: readonly ShownEvent[];
}

/** What takes place on each of some days. @param most how many of a day are given */
export function calendarDays(
  events: readonly CalendarEvent[],
  days: Days,
  most: number,
  ownZone: string,
): CalendarDay[] {
  const byDay = new Map<string, Occurrence[]>();
  for (const each of occurrencesBetween(events, days, ownZone)) {
    const isOn = (day: string) => each.first <= day && day <= each.last;
    for (const day of each.first === each.last ? [each.first] : listOf(days).filter(isOn)) {
      const known = byDay.get(day);
      if (known === undefined) byDay.set(day, [each]);
      else known.push(each);
    }
  }
  return listOf(days).map((day) => {
    const found = byDay.get(day) ?? [];
    const shown = found.slice(0, most).map((each) => shownEvent(each, ownZone));
    return { day, hours: hoursOf(day, ownZone), total: found.length, shown };
  });
}

/** Every day; the calendar ends with the year 9999. */
function listOf({ first, last }: Days): string[] {
  const all = [first];
  for (let day = dayAfter(first, 1); day <= last && day !== all.at(-1); day = dayAfter(day, 1)) all.push(day);
  return all;
}

/** What takes place on one day, some of it. */
export function eventsOfDay(
  events: readonly CalendarEvent[],
  day: string,
  { from, limit }: { readonly from: number; readonly limit: number },
  ownZone: string,
): { readonly total: number; readonly events: readonly ShownEvent[] } {
  const found = occurrencesBetween(events, { first: day, last: day }, ownZone);
  return {
    total: found.length,
    events: found.slice(from, from + limit).map((each) => shownEvent(each, ownZone)),
  };
}

function shownEvent(each: Occurrence, ownZone: string): ShownEvent {
  const { start, end, zone, isAllDay } = each.event;
  if (isAllDay) return { ...each, start: each.first, end: each.last };
  return { ...each, start: timeHere(start, zone, ownZone), end: timeHere(end, zone, ownZone) };
}

/** How long a day is: clocks are set by an hour, somewhere by half an hour. */
function hoursOf(day: string, zone: string): number {
  const [begin, end] = [day, dayAfter(day, 1)].map((each) => momentOf(`${each}T00:00:00`, zone));
  return begin === undefined || end === undefined || begin === end ? 24 : (end - begin) / 3_600_000;
}
