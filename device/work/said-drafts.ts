import type { ProjectId } from "../../events/ids.ts";
import type { Priority } from "../../events/proposals/categorize.ts";
import { dueOf, type Here, readDate, requireShown } from "./dates/read-date.ts";
import type { CalendarEvent, Draft } from "./entities.ts";
import { type EventTimes, eventTimes, type SaidTimes } from "./events/event-times.ts";
import { movedRules } from "./recurrence/moved/moved-rules.ts";
import { standsFor } from "./recurrence/time-of-series.ts";

/** What a person says of a task; what is absent stays as it is. */
export interface SaidTask {
  readonly title?: string | undefined;
  readonly note?: string | undefined;
  /** A date as a person writes it; `none`, or nothing written, takes it away. */
  readonly due?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly projectId?: ProjectId | null | undefined;
}

/** @throws DeviceError `date_invalid`; `data.field` names the field */
export async function taskDraft({ due, ...said }: SaidTask, here: Here): Promise<Draft<"task">> {
  const given = present(said);
  if (due === undefined) return given;
  if (["", "none"].includes(due.trim().toLowerCase())) return { ...given, due: null };
  const read = await readDate(due, here, "due");
  requireShown(read, here.zone, due, "due");
  return { ...given, due: dueOf(read, here.zone) };
}

/** What a person says of an event; what is absent stays as it is. */
export interface SaidEvent extends SaidTimes {
  readonly title?: string | undefined;
  readonly place?: string | undefined;
  readonly people?: readonly string[] | undefined;
  readonly note?: string | undefined;
  readonly status?: CalendarEvent["status"] | undefined;
}

/**
 * @param before the one that is changed
 * @throws DeviceError `date_invalid`, `value_invalid`
 */
export async function eventDraft(
  { start, end, zone, people, ...said }: SaidEvent,
  here: Here,
  before?: CalendarEvent,
): Promise<Draft<"event">> {
  const isTimed = before === undefined || [start, end, zone].some((each) => each !== undefined);
  const times = isTimed ? await eventTimes({ start, end, zone }, here, before) : undefined;
  return {
    ...times,
    ...(times === undefined || before === undefined || before.recurrenceId === ""
      ? {}
      : { recurrenceId: standsFor(before) }),
    ...(times === undefined || before === undefined || !isMoved(before, times)
      ? {}
      : { recurrence: movedRules(before, times) }),
    ...(people === undefined ? {} : { people: [...people] }),
    ...present(said),
  };
}

const isMoved = (before: CalendarEvent, { start, zone }: EventTimes): boolean =>
  before.recurrence.length > 0 && (before.start !== start || before.zone !== zone);

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** What somebody says: what is absent is not said, also where its name stands. */
export function present<T extends object>(given: T): Present<T> {
  const said: Present<T> = {};
  for (const name in given) {
    const value = given[name];
    if (isPresent(value)) said[name] = value;
  }
  return said;
}

const isPresent = <V>(value: V): value is Exclude<V, undefined> => value !== undefined;
