import { exactError } from "../../exact-sentences.ts";
import type { DeviceStore } from "../../store/open.ts";
import { existing } from "../../work/change-entities.ts";
import { localTimeAt } from "../../work/dates/zone.ts";
import { seenNow } from "../../work/edit-seen.ts";
import type { Memory, Note, Person } from "../../work/entities.ts";
import type { Days } from "../../work/events/occurrences.ts";
import { plainName } from "../../work/folder/note-file.ts";
import { givenText } from "../../work/given-text.ts";
import { exportEvents, exportNotes, exportTasks, takeTasks } from "../../work/interchange/export-work.ts";
import { importInParts } from "../../work/interchange/import-events.ts";
import { readCalendar } from "../../work/interchange/read-calendar.ts";
import { calendarDays, eventsOfDay, type ShownEvent } from "../../work/lists/calendar-days.ts";
import { listedTasks, type TaskFilter, type TaskOrder } from "../../work/lists/task-list.ts";
import { holdsWords } from "../../work/lists/words.ts";
import { partlyKnown } from "../../work/recurrence/partly-known.ts";
import { eventDraft, present, type SaidEvent, type SaidTask, taskDraft } from "../../work/said-drafts.ts";
import { setTaskStatus } from "../../work/tasks/task-status.ts";
import type { ExportRequest, GivenFile, ImportRequest } from "./contract.ts";
import { entityUseCases } from "./entity-use-cases.ts";
import { shownPartly } from "./shown-partly.ts";
import { zipOf } from "./zip.ts";

/** Rows of a page of a list, as `pageSize` in page/work/lists.ts. */
const rowsAPage = 100;
/** Of a longer text, in a list. */
const beginningLength = 300;
/** Of those that could not be taken from a file. */
const shownUntaken = 50;

export interface WorkParts {
  readonly store: DeviceStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The IANA zone the person is in. */
  readonly zone: () => string;
}

/** What a tab can do with the person's work. */
export type WorkUseCases = ReturnType<typeof workUseCases>;

/** The person's work, as the console offers it; the log hears of every change by itself (news/news.ts). */
export function workUseCases({ store, now, zone }: WorkParts) {
  const here = () => ({ nowMs: now(), zone: zone() });
  const kept = { store, now, zone };

  return {
    task: entityUseCases(kept, "task", (said: SaidTask) => taskDraft(said, here())),
    event: entityUseCases(kept, "event", (said: SaidEvent, before) => eventDraft(said, here(), before)),
    note: entityUseCases(kept, "note", (said: SaidNote) => present(said)),
    person: entityUseCases(kept, "person", (said: SaidPerson) => present(said)),
    memory: entityUseCases(kept, "memory", (said: SaidFact) => present(said)),

    /** A page of tasks, and the projects they may be of. */
    tasks({ order, from, ...filter }: TaskFilter & { readonly order: TaskOrder; readonly from: number }) {
      const found = listedTasks(store.work.task.list(), filter, order, here());
      const names = new Map(store.projects.list().map(({ id, name }) => [id, name]));
      const tasks = found.slice(from, from + rowsAPage).map(({ task, group }) => {
        const { id, title, due, priority, status, projectId, note, sourceSuggestionId } = task;
        const project = projectId === null ? null : { id: projectId, name: names.get(projectId) ?? projectId };
        const shown = { id, title, due, priority, status, group, project, zone: zone() };
        return { ...shown, begins: beginningOf(note), from: sourceSuggestionId };
      });
      return { rows: tasks, total: found.length };
    },

    projects: () => ({ projects: store.projects.list().map(({ id, name }) => ({ id, name })) }),

    /** @throws DeviceError `task_unknown` */
    setDone(id: string, isDone: boolean) {
      return store.transaction(() => {
        setTaskStatus(store, id, isDone ? "done" : "open", now());
        const { entity, revision } = seenNow(store, "task", id);
        return { id, title: entity.title, revision };
      });
    },

    /** A page of notes, the newest first. */
    notes: (request: ListRequest) =>
      page(newestFirst(store.work.note.list()), request, ({ title, markdown }) => [title, markdown], shownNote),

    /** A page of people, by name. */
    people: (request: ListRequest) =>
      page(store.work.person.list(), request, ({ name, addresses, note }) => [name, ...addresses, note], shownPerson),

    /** A page of facts, the newest first. */
    facts: (request: ListRequest) =>
      page(newestFirst(store.work.memory.list()), request, ({ fact, source }) => [fact, source], shownFact),

    /** What takes place on some days, the first ones of each. */
    calendar({ first, last, most }: Days & { readonly most: number }) {
      const events = store.work.event.list();
      const days = calendarDays(events, { first, last }, most, zone());
      return {
        days: days.map(({ shown, ...day }) => ({ ...day, shown: shown.map(shownOccurrence) })),
        today: localTimeAt(now(), zone()).slice(0, 10),
        zone: zone(),
        partlyKnown: shownPartly(partlyKnown(events)),
      };
    },

    /** What takes place on one day, a page of it. */
    day({ day, from }: { readonly day: string; readonly from: number }) {
      const { total, events } = eventsOfDay(store.work.event.list(), day, { from, limit: rowsAPage }, zone());
      return { rows: events.map(shownOccurrence), total, zone: zone() };
    },

    /** A file of the person's work. @throws DeviceError the kind's own when there is none */
    async give(request: ExportRequest): Promise<GivenFile> {
      const { id } = request;
      if (request.what === "events") {
        const name = id === undefined ? "Calendar" : existing(store, "event", id).title;
        return file(`${plainName(name, "Event")}.ics`, "text/calendar", (await exportEvents(store, id)).text);
      }
      if (request.what === "tasks") {
        const isMarkdown = request.form === "markdown";
        const { text } = exportTasks(store, request.form, zone(), id);
        return file(isMarkdown ? "Tasks.md" : "todo.txt", isMarkdown ? "text/markdown" : "text/plain", text);
      }
      const notes = exportNotes(store, id);
      const [first] = notes;
      if (id !== undefined && first !== undefined) return file(first.name, "text/markdown", first.text);
      return { name: "Notes.zip", type: "application/zip", bytes: (await zipOf(notes)).toString("base64") };
    },

    /** Takes what a file says. @throws DeviceError `import_invalid`, `value_invalid` */
    async take(request: ImportRequest) {
      const text = textIn(request.bytes);
      if (request.what === "tasks") {
        const counts = await takeTasks(store, request.form, text, here());
        return { ...counts, outdated: 0, untaken: [], moreUntaken: 0, partlyKnown: shownPartly([]) };
      }
      const taken = await importInParts(store, await readCalendar(text), now());
      const { untaken, partlyKnown: partly, ...counts } = taken;
      return {
        ...counts,
        untaken: untaken.slice(0, shownUntaken),
        moreUntaken: Math.max(0, untaken.length - shownUntaken),
        partlyKnown: shownPartly(partly),
      };
    },
  };
}

interface ListRequest {
  readonly words: string;
  readonly from: number;
}
interface SaidNote {
  readonly title?: string | undefined;
  readonly markdown?: string | undefined;
}
interface SaidPerson {
  readonly name?: string | undefined;
  readonly addresses?: string[] | undefined;
  readonly note?: string | undefined;
}
interface SaidFact {
  readonly fact?: string | undefined;
  readonly source?: string | undefined;
}

function page<T, S>(
  all: readonly T[],
  { words, from }: ListRequest,
  textsOf: (row: T) => readonly string[],
  shown: (row: T) => S,
): { readonly rows: S[]; readonly total: number } {
  const found = all.filter((row) => holdsWords(words, ...textsOf(row)));
  return { rows: found.slice(from, from + rowsAPage).map(shown), total: found.length };
}

const newestFirst = <T extends { readonly updatedAt: number }>(rows: readonly T[]): T[] =>
  rows.toSorted((one, other) => other.updatedAt - one.updatedAt);

const beginningOf = (text: string): string => text.slice(0, beginningLength).toWellFormed();

const shownNote = ({ id, title, markdown, updatedAt, sourceSuggestionId }: Note) => ({
  ...{ id, title, updatedAt, begins: beginningOf(markdown), from: sourceSuggestionId },
});
const shownPerson = ({ id, name, addresses, note, sourceSuggestionId }: Person) => ({
  ...{ id, name, addresses: addresses.slice(0, 3), begins: beginningOf(note), from: sourceSuggestionId },
});
const shownFact = ({ id, fact, source, createdAt, sourceSuggestionId }: Memory) => ({
  ...{ id, fact, source, createdAt, from: sourceSuggestionId },
});

/** A description may be as long as a book, and a month holds many. */
const shownOccurrence = ({ event, start, end, first, last }: ShownEvent) => ({
  ...{ id: event.id, title: event.title.slice(0, beginningLength).toWellFormed(), start, end, first, last },
  ...{ isAllDay: event.isAllDay, status: event.status, isSeries: event.recurrence.length > 0 },
  ...{ place: event.place.slice(0, beginningLength).toWellFormed(), zone: event.zone },
});

/** @param bytes in base64 @throws DeviceError `import_invalid`; decoded nevertheless, letters would be kept as marks of loss */
function textIn(bytes: string): string {
  try {
    return givenText(Buffer.from(bytes, "base64"));
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw exactError("import_invalid", "encoding", {}, { cause });
  }
}

const file = (name: string, type: string, text: string): GivenFile => ({
  ...{ name, type, bytes: Buffer.from(text, "utf8").toString("base64") },
});
