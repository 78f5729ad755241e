import { dueOf, type ReadDate } from "../../work/dates/read-date.ts";
import { dayAfter } from "../../work/dates/zone.ts";
import { calendarDay } from "../../work/entities.ts";
import type { Times } from "../priority.ts";
import { eventAt } from "../rules.ts";
import type { NamedDate } from "../words/read-letter.ts";

/** `2026-11-27`, or `2026-11-27T17:00`, with seconds or without; a zone that is given is left out. */
const answered = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** A date as a model writes it; undefined when it is none. */
function readAnswered(text: string): ReadDate | undefined {
  const [, day = "", time] = answered.exec(text.trim()) ?? [];
  if (!calendarDay.safeParse(day).success) return undefined;
  return { day, time: time === undefined ? null : `${time}:00` };
}

interface Found extends NamedDate {
  /** False when its day stands in the item, and its time does not: the time is left out. */
  readonly isWhole: boolean;
}

/** The date among those an item names: that time, else that day; undefined when the item names no such day. */
function named(text: string, dates: readonly NamedDate[]): Found | undefined {
  const read = readAnswered(text);
  if (read === undefined) return undefined;
  // A model may say a day or a time as it stands in the letter, or as the reader's clock shows it.
  const ways = [
    ...dates.map((each) => ({ each, said: each.date })),
    ...dates.map((each) => ({ each, said: each.written })),
  ];
  const ofDay = ways.filter(({ said }) => said.day === read.day);
  const ofTime = ofDay.find(({ said }) => read.time !== null && said.time === read.time);
  if (ofTime !== undefined) return { ...ofTime.each, isWhole: true };
  const [first] = ofDay;
  if (first === undefined) return undefined;
  const { each } = first;
  return { ...each, date: { day: each.date.day, time: null }, isWhole: read.time === null };
}

export interface AnsweredDue {
  /** A day, or a moment in UTC. */
  readonly due: string;
  readonly isBinding: boolean;
  readonly isWhole: boolean;
}

/** By when something is to be done, as a task has it. */
export function answeredDue(text: string, dates: readonly NamedDate[], zone: string): AnsweredDue | undefined {
  const found = named(text, dates);
  return found && { due: dueOf(found.date, zone), isBinding: found.isBinding, isWhole: found.isWhole };
}

export interface AnsweredTimes extends Times {
  readonly isAllDay: boolean;
  readonly isBinding: boolean;
  /** False when a part of what was answered could not be used: a time, or an end, which is then an hour or a day later. */
  readonly isWhole: boolean;
}

/** When an event is: its start stands in the item; its end does, or is worked out from the start. */
export function answeredTimes(
  start: string,
  end: string | null,
  dates: readonly NamedDate[],
  zone: string,
): AnsweredTimes | undefined {
  const found = named(start, dates);
  if (found === undefined) return undefined;
  const { date, isBinding } = found;
  const ending = end === null ? undefined : named(end, dates)?.date;
  const isWhole = found.isWhole && (end === null || isEnd(date, ending));
  if (date.time === null) {
    const last = ending !== undefined && ending.day >= date.day ? ending.day : date.day;
    return { start: date.day, end: dayAfter(last, 1), zone: null, isAllDay: true, isBinding, isWhole };
  }
  const times = eventAt(date, zone);
  const until = ending?.time == null ? undefined : `${ending.day}T${ending.time}`;
  return {
    start: times.start,
    end: until !== undefined && until > times.start ? until : times.end,
    zone,
    isAllDay: false,
    isBinding,
    isWhole,
  };
}

/** Whether an end fits a start. */
function isEnd(start: ReadDate, end: ReadDate | undefined): boolean {
  if (end === undefined) return false;
  if (start.time === null) return end.day >= start.day;
  return end.time !== null && `${end.day}T${end.time}` > `${start.day}T${start.time}`;
}
