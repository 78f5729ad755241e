import * as z from "zod";
import { projectId, proposalId, taskId } from "../../events/ids.ts";
import { priorities } from "../../events/proposals/categorize.ts";
import { isDay } from "./dates/due-day.ts";

const ulid = "[0-7][0-9A-HJKMNP-TV-Z]{25}";
const idOf = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_${ulid}$`));

/** A calendar day, `2026-11-27`; one that does not exist (30 February) is refused. */
export const calendarDay = z.iso.date("is not a day of the calendar, such as 2026-11-27");
/** A time of the day where somebody is, without a zone: `2026-11-27T17:00:00`. */
export const localTime = z.iso.datetime({
  local: true,
  precision: 0,
  error: "is not a time, such as 2026-11-27T17:00:00",
});
/** A moment, in UTC to the second: `2026-11-27T16:00:00Z`. */
export const moment = z.iso.datetime({ precision: 0, error: "is not a moment, such as 2026-11-27T16:00:00Z" });

/** Either; of what is neither it is said how both are written. */
const dayOr = (time: typeof moment | typeof localTime, written: string) =>
  z.union([calendarDay, time], `is neither a day of the calendar, such as 2026-11-27, nor ${written}`);

/** Names the platform has been asked for: a calendar names its zone with every event, and asking takes as long as reading one. */
const knownZones = new Set<string>();
/** Foreign text may write a name in many ways, with large and small letters. */
const mostKnownZones = 1_000;

/** Whether the platform knows a time zone by that name (the IANA database's). */
export function isZone(name: string): boolean {
  if (knownZones.has(name)) return true;
  try {
    const isKnown = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
    if (isKnown && knownZones.size < mostKnownZones) knownZones.add(name);
    return isKnown;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Text as it is kept: lone surrogates cannot be stored. */
const text = (most: number) =>
  z
    .string()
    .max(most, `is longer than ${most} characters`)
    .transform((value) => value.toWellFormed());
const line = (most: number) =>
  text(most)
    .transform((value) => value.trim())
    .refine((value) => value !== "", "is empty");
const list = (most: number, each: number) => z.array(line(each)).max(most, `has more than ${most} entries`);

const origin = {
  /** The proposal it was made from, if any. */
  sourceSuggestionId: proposalId.nullable().default(null),
  /** Milliseconds since the epoch. */
  createdAt: z.int(),
  updatedAt: z.int(),
};

const task = z.strictObject({
  id: taskId,
  title: line(500),
  note: text(100_000).default(""),
  /** A day, or a moment in UTC. */
  due: dayOr(moment, "a moment, such as 2026-11-27T16:00:00Z").nullable().default(null),
  priority: z.enum(priorities).default("none"),
  status: z.enum(["open", "done"]).default("open"),
  projectId: projectId.nullable().default(null),
  doneAt: z.int().nullable().default(null),
  ...origin,
});
export type Task = z.infer<typeof task>;

const event = z
  .strictObject({
    id: idOf("evt"),
    title: line(500),
    /** A local time, or a day when it lasts all day. */
    start: dayOr(localTime, "a time, such as 2026-11-27T17:00:00"),
    /** Of the same form as `start` and not before it; the first moment, or the first day, after the event (RFC 5545 §3.6.1). */
    end: dayOr(localTime, "a time, such as 2026-11-27T17:00:00"),
    /** The IANA zone its times are of; null: wherever its reader is (a floating time, RFC 5545 §3.3.5), or all day. */
    zone: z.string().refine(isZone, "is not a known time zone, such as Europe/Berlin").nullable().default(null),
    isAllDay: z.boolean().default(false),
    place: text(1_000).default(""),
    /** Names or addresses, as they were given. */
    people: list(500, 500).default([]),
    note: text(100_000).default(""),
    status: z.enum(["confirmed", "tentative", "cancelled"]).default("confirmed"),
    /** Names the event in every calendar it is in. */
    uid: line(500),
    /**
     * Which time of a series this stands for: a moment (`2026-11-26T18:30:00Z`), a day, or the local time of one without a zone;
     * empty for an event or a series.
     */
    recurrenceId: text(100).default(""),
    /** Grows with every revision by who organises it (RFC 5545 §3.8.7.4). */
    sequence: z.int().min(0).default(0),
    /** When that revision was written, as its writer says; null when it was made here. */
    stampedAt: z.int().nullable().default(null),
    /** RRULE, RDATE and EXDATE as content lines (RFC 5545 §3.8.5): kept, never multiplied out. */
    recurrence: list(1_000, 2_000).default([]),
    ...origin,
  })
  .refine(({ start, end, isAllDay }) => isDay(start) === isAllDay && isDay(end) === isAllDay, {
    message: "and end are both days when the event lasts all day, else both times",
    path: ["start"],
  })
  .refine(({ start, end }) => end >= start, { message: "lies before the start", path: ["end"] });
export type CalendarEvent = z.infer<typeof event>;

const note = z.strictObject({ id: idOf("not"), title: line(500), markdown: text(1_000_000).default(""), ...origin });
export type Note = z.infer<typeof note>;

const person = z.strictObject({
  id: idOf("psn"),
  name: line(500),
  /** Mail addresses, telephone numbers: what the person is reached by. */
  addresses: list(50, 500).default([]),
  note: text(100_000).default(""),
  ...origin,
});
export type Person = z.infer<typeof person>;

const memory = z.strictObject({
  id: idOf("mem"),
  fact: line(2_000),
  /** Where it is from: the person's own words, a document, a mail. */
  source: text(1_000).default(""),
  ...origin,
});
export type Memory = z.infer<typeof memory>;

/** What a person's work is made of on this device. */
export interface EntityTypes {
  task: Task;
  event: CalendarEvent;
  note: Note;
  person: Person;
  memory: Memory;
}
export type EntityKind = keyof EntityTypes;

/** Checks a row of each kind, fills in what was not given, and gives it its type. */
export const entitySchemas: { readonly [K in EntityKind]: z.ZodType<EntityTypes[K]> } = {
  task,
  event,
  note,
  person,
  memory,
};

/** How the id of each kind begins. */
export const idPrefixes: Readonly<Record<EntityKind, string>> = {
  task: "tsk",
  event: "evt",
  note: "not",
  person: "psn",
  memory: "mem",
};

type Own = "id" | "createdAt" | "updatedAt" | "sourceSuggestionId";

/** What is said of a new entity; what is absent takes its usual value. */
export type Draft<K extends EntityKind> = Partial<Omit<EntityTypes[K], Own>>;

/** What a person calls it by. */
export function titleOf(entity: EntityTypes[EntityKind]): string {
  if ("title" in entity) return entity.title;
  return "name" in entity ? entity.name : entity.fact;
}
