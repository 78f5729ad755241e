import type { DeviceActionInput } from "../../../events/agent-tools/actions.ts";
import type { WorkToolInput } from "../../../events/agent-tools/work-tools.ts";
import { compared } from "../../compared.ts";
import { workText } from "../../knowledge/work/work-texts.ts";
import { dueDay } from "../../work/dates/due-day.ts";
import { dayAfter, localTimeAt, systemZone } from "../../work/dates/zone.ts";
import type { CalendarEvent, Task } from "../../work/entities.ts";
import { eventDays } from "../../work/events/event-days.ts";
import { apartFrom, beginsHere, nextOccurrence, standingAmong } from "../../work/events/occurrences.ts";
import { partlyKnown } from "../../work/recurrence/partly-known.ts";
import { tasksInOrder } from "../../work/tasks/task-order.ts";
import type { ActionResult } from "../action-result.ts";
import { type FoundWork, foundWork, type WorkPorts } from "./found-work.ts";
import { beginning, workLine } from "./work-line.ts";

/** Of a note that is shown whole. */
const wholeNoteCharacters = 3_000;
/** Of series that may take place more often than is known, and of their titles. */
const mostPartlyKnown = 5;
const mostTitle = 100;

/** @throws DeviceError `store_busy`, `store_full`, `store_unreadable` */
export async function listTasks(
  { status, due_before, project_id, query, limit }: WorkToolInput<"list_tasks">,
  ports: WorkPorts,
): Promise<ActionResult> {
  const found = query === undefined ? undefined : await foundWork(query, "task", ports);
  const { task } = ports.store.work;
  const zone = systemZone();
  const all =
    found === undefined ? tasksInOrder(task.list(), zone) : found.hits.flatMap(({ id }) => task.find(id) ?? []);
  const tasks = all.filter(
    (each) =>
      (status === "all" || each.status === status) &&
      (project_id === undefined || each.projectId === project_id) &&
      (due_before === undefined || (each.due !== null && dueDay(each.due, zone) < due_before)),
  );
  return listed("tasks", tasks, limit, found, taskLine);
}

/** @throws DeviceError `store_busy`, `store_full`, `store_unreadable` */
export async function listEvents(
  { from, until, query, limit }: WorkToolInput<"list_events">,
  ports: WorkPorts,
): Promise<ActionResult> {
  const found = query === undefined ? undefined : await foundWork(query, "event", ports);
  const { event } = ports.store.work;
  const known = event.list();
  const all = found === undefined ? known : found.hits.flatMap(({ id }) => event.find(id) ?? []);
  const zone = systemZone();
  const today = localTimeAt(ports.now(), zone).slice(0, 10);
  const apart = apartFrom(known);
  const events = all
    .map(standingAmong(known))
    .flatMap((each) => {
      const next = nextOccurrence(each, from ?? today, zone, apart);
      // Who asks for words means whenever it was.
      return next ?? (found !== undefined && from === undefined ? each : []);
    })
    .filter((each) => until === undefined || eventDays(each, zone).first <= until);
  const inOrder =
    found === undefined
      ? events.toSorted((one, other) => compared(beginsHere(one, zone), beginsHere(other, zone)))
      : events;
  const partly = partlyKnown(all).map(({ title }) => beginning(title, mostTitle));
  const left = partly.length - mostPartlyKnown;
  const named = [...partly.slice(0, mostPartlyKnown), ...(left > 0 ? [`and ${left} more`] : [])];
  return listed("events", inOrder, limit, found, eventLine, { not_all_times_known: named });
}

/** @throws DeviceError `store_busy`, `store_full`, `store_unreadable` */
export async function searchNotes(
  { query, limit }: WorkToolInput<"search_notes">,
  ports: WorkPorts,
): Promise<ActionResult> {
  const found = await foundWork(query, "note", ports);
  if (found === undefined) return { text: workLine({ notes: 0, note: "There is no word to search for." }) };
  return listed("notes", found.hits, limit, found, ({ id, title, lines }) => {
    const text = workText(ports.store, "note", id)?.text ?? "";
    const isWhole = text.length <= wholeNoteCharacters;
    const said = lines.map(({ parts }) => parts.map((part) => part.text).join(""));
    return workLine({ id, title, ...(isWhole ? { text } : { lines: said, characters: text.length }) });
  });
}

/** @throws DeviceError `store_busy`, `store_full`, `store_unreadable` */
export async function recallFacts(
  { query, limit }: DeviceActionInput<"recall">,
  ports: WorkPorts,
): Promise<ActionResult> {
  const found = await foundWork(query, "memory", ports);
  if (found === undefined) return { text: workLine({ facts: 0, note: "There is no word to search for." }) };
  const facts = found.hits.flatMap(({ id }) => ports.store.work.memory.find(id) ?? []);
  return listed("facts", facts, limit, found, ({ id, fact, source }) =>
    workLine({ id, fact: beginning(fact), from: beginning(source) }),
  );
}

function listed<T>(
  name: string,
  all: readonly T[],
  limit: number,
  found: FoundWork | undefined,
  lineOf: (each: T) => string,
  more: Readonly<Record<string, readonly string[]>> = {},
): ActionResult {
  const shown = all.slice(0, limit);
  const about = workLine({ [name]: shown.length, more: all.length - shown.length, ...found?.about, ...more });
  return { text: [about, ...shown.map(lineOf)].join("\n") };
}

function taskLine({ id, title, due, priority, status, projectId, note, sourceSuggestionId }: Task): string {
  return workLine({
    id,
    title,
    due,
    priority: priority === "none" ? "" : priority,
    status,
    project: projectId,
    note: beginning(note),
    from: sourceSuggestionId,
  });
}

function eventLine(event: CalendarEvent): string {
  const { id, title, start, end, zone, isAllDay, place, people, status, note, recurrence, sourceSuggestionId } = event;
  return workLine({
    id,
    title,
    start,
    end: isAllDay ? dayAfter(end, -1) : end,
    zone,
    place: beginning(place),
    people: people.slice(0, 20),
    status: status === "confirmed" ? "" : status,
    repeats: recurrence.slice(0, 5),
    note: beginning(note),
    from: sourceSuggestionId,
  });
}
