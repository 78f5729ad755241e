import { exactError } from "../../exact-sentences.ts";
import type { DeviceStore } from "../../store/open.ts";
import { existing } from "../change-entities.ts";
import type { Here } from "../dates/read-date.ts";
import { noteName, noteText } from "../folder/note-file.ts";
import { type ImportedTasks, importTasks } from "./import-tasks.ts";
import { readTasksMarkdown, writeTasksMarkdown } from "./tasks-markdown.ts";
import { readTodoTxt, writeTodoTxt } from "./todo-txt.ts";
import { writeCalendar } from "./write-calendar.ts";

/** How a file of tasks is written. */
export const taskForms = ["todo.txt", "markdown"] as const;
export type TaskForm = (typeof taskForms)[number];

/** The text of a file, and how many things are in it. */
export interface Exported {
  readonly text: string;
  readonly count: number;
}

/** One event, or all of them, as an iCalendar file. @throws DeviceError `event_unknown` */
export async function exportEvents(store: DeviceStore, id?: string): Promise<Exported> {
  const events = id === undefined ? store.work.event.list() : [existing(store, "event", id)];
  return { text: await writeCalendar(events), count: events.length };
}

/** One task, or all of them. @param zone where the person is @throws DeviceError `task_unknown` */
export function exportTasks(store: DeviceStore, form: TaskForm, zone: string, id?: string): Exported {
  const tasks = id === undefined ? store.work.task.list() : [existing(store, "task", id)];
  const write = form === "markdown" ? writeTasksMarkdown : writeTodoTxt;
  return { text: write(tasks, store.projects.list(), zone), count: tasks.length };
}

/** Takes the tasks of a file. @throws DeviceError `import_invalid` where it is no text, and as `importTasks` */
export async function takeTasks(
  store: DeviceStore,
  form: TaskForm,
  text: string,
  { nowMs, zone }: Here,
  told?: (done: number, total: number) => void,
  signal?: AbortSignal,
): Promise<ImportedTasks> {
  if (text.includes("\0")) throw exactError("import_invalid", "noText");
  const read = form === "markdown" ? readTasksMarkdown : readTodoTxt;
  const tasks = read(text, store.projects.list(), zone);
  return importTasks(store, tasks, nowMs, { told: (done) => told?.(done, tasks.length), signal });
}

/** A note as a file of its own. */
export interface NoteFile {
  /** `Paint.md`, another one for each. */
  readonly name: string;
  readonly text: string;
}

/** One note, or all of them, each as a Markdown file. @throws DeviceError `note_unknown` */
export function exportNotes(store: DeviceStore, id?: string): NoteFile[] {
  const notes = id === undefined ? store.work.note.list() : [existing(store, "note", id)];
  const taken = new Set<string>();
  return notes.map((note) => {
    // Some systems take upper and lower case for the same.
    const name = noteName(note.title, (other) => taken.has(other.toLowerCase()));
    taken.add(name.toLowerCase());
    return { name: name.replace(/^notes\//u, ""), text: noteText(note) };
  });
}
