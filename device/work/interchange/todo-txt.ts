import type { Priority } from "../../../events/proposals/categorize.ts";
import { isDay } from "../dates/due-day.ts";
import { localTimeAt, momentOf, offsetTimeAt } from "../dates/zone.ts";
import { calendarDay, type Draft, type Task } from "../entities.ts";
import { type FileProjects, type FileTask, idIn, inOneLine, projectIn, projectWord } from "./task-file.ts";

/** Priorities of todo.txt are letters (https://github.com/todotxt/todo.txt); later ones mean "later". */
const letters: Readonly<Record<Priority, string>> = { now: "A", soon: "B", later: "C", none: "" };
const priorityOf = (letter: string): Priority => (letter === "A" ? "now" : letter === "B" ? "soon" : "later");

const day = /^\d{4}-\d\d-\d\d$/;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/;
/** What the form itself would read out of a title. */
const misread = /(?:^|\s)(?:[^\s:]+:\S|[+@]\S)|^x\s|^\([A-Z]\)\s|^\d{4}-\d\d-\d\d(?:\s|$)/u;

/**
 * Tasks as todo.txt, a line each. What the form has no word for is a `key:value` of its own, so that nothing is lost.
 *
 * @param zone where the person is, whose days are written
 */
export function writeTodoTxt(tasks: readonly Task[], projects: FileProjects, zone: string): string {
  return tasks.map((task) => `${lineOf(task, projects, zone)}\n`).join("");
}

function lineOf(task: Task, projects: FileProjects, zone: string): string {
  const { id, title, note, due, priority, status, projectId, doneAt, createdAt } = task;
  const dayOf = (ms: number) => localTimeAt(ms, zone).slice(0, 10);
  const letter = letters[priority];
  const plain = inOneLine(title);
  const project = projects.find((each) => each.id === projectId);
  return [
    ...(status === "done" ? ["x", dayOf(doneAt ?? createdAt)] : letter === "" ? [] : [`(${letter})`]),
    dayOf(createdAt),
    plain,
    ...(plain === title && !misread.test(title) ? [] : [`title:${encodeURIComponent(title)}`]),
    ...(project === undefined ? [] : [`+${projectWord(project.name)}`, `prj:${project.id}`]),
    ...(due === null ? [] : dueWords(due, zone)),
    ...(status === "done" && letter !== "" ? [`pri:${letter}`] : []),
    ...(note === "" ? [] : [`note:${encodeURIComponent(note)}`]),
    `id:${id}`,
  ].join(" ");
}

/** The day, and of a moment its time with how far clocks are ahead of UTC there: so any zone's reader knows of which day it is. */
function dueWords(due: string, zone: string): string[] {
  if (isDay(due)) return [`due:${due}`];
  const at = offsetTimeAt(Date.parse(due), zone);
  return [`due:${at.slice(0, 10)}`, `at:${at}`];
}

/** Reads todo.txt; a project nobody knows here stays a word of the title. @param zone where the person is, whose days are meant */
export function readTodoTxt(text: string, projects: FileProjects, zone: string): FileTask[] {
  return text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map((line) => taskOf(line, projects, zone));
}

function taskOf(line: string, projects: FileProjects, zone: string): FileTask {
  const words = line.trim().split(/\s+/u);
  const isDone = words[0] === "x" && words.length > 1;
  if (isDone) words.shift();
  const letter = isDone ? undefined : /^\(([A-Z])\)$/.exec(words[0] ?? "")?.[1];
  if (letter !== undefined) words.shift();
  const dates: string[] = [];
  while (dates.length < (isDone ? 2 : 1) && isCalendarDay(words[0] ?? "")) dates.push(words.shift() ?? "");
  const doneAt = isDone && dates[0] !== undefined ? momentOf(`${dates[0]}T00:00:00`, zone) : Number.NaN;
  let said: SaidTask = letter === undefined ? {} : { priority: priorityOf(letter) };
  const id = words.map(idWord).findLast((each) => each !== undefined);
  // Another's word, where no day stands beside it.
  const isTimed = id !== undefined || words.some((word) => saidBy(word, projects)?.due !== undefined);
  // Written by us: what stands before is the title once more, for who does not know the key.
  const isTitle = (word: string) =>
    id !== undefined && word.startsWith("title:") && saidBy(word, projects) !== undefined;
  const titled = words.findLastIndex(isTitle);
  const left = words.slice(Math.max(0, titled)).filter((word) => {
    if (idWord(word) !== undefined) return false;
    const more = saidBy(word, projects);
    if (more === undefined || (more.at !== undefined && !isTimed)) return true;
    if (more.title !== undefined && !isTitle(word)) return true;
    said = { ...said, ...more };
    return false;
  });
  const { at, ...draft } = said;
  const title = said.title ?? (left.join(" ") || "(no title)");
  const status = isDone
    ? { status: "done" as const, doneAt: Number.isNaN(doneAt) ? null : doneAt }
    : { status: "open" as const };
  return {
    id,
    draft: { note: "", due: null, priority: "none", projectId: null, ...draft, ...dueSaid(said), ...status, title },
  };
}

/** What the words of a line say; `at` is the moment of what is due. */
type SaidTask = Draft<"task"> & { readonly at?: string };

const idWord = (word: string): string | undefined => (word.startsWith("id:") ? idIn(word.slice(3)) : undefined);

/** Who gives it another day, or none, in a program that knows no `at:`, means that. */
function dueSaid({ due, at }: SaidTask): Draft<"task"> {
  if (due == null || at === undefined || !at.startsWith(due) || !isCalendarDay(due)) return {};
  return { due: `${new Date(at).toISOString().slice(0, 19)}Z` };
}

const isCalendarDay = (word: string): boolean => calendarDay.safeParse(word).success;

/** What a word says beyond being a word of the title. */
function saidBy(word: string, projects: FileProjects): SaidTask | undefined {
  if (word.startsWith("+")) {
    const project = projects.find(({ name }) => `+${projectWord(name)}` === word);
    return project === undefined ? undefined : { projectId: project.id };
  }
  const [, key = "", value = ""] = /^([a-z]+):(.+)$/u.exec(word) ?? [];
  if (key === "due" && day.test(value)) return { due: value };
  if (key === "at" && moment.test(value) && !Number.isNaN(Date.parse(value))) return { at: value };
  if (key === "pri" && /^[A-Z]$/.test(value)) return { priority: priorityOf(value) };
  if (key === "prj") return projects.some((each) => each.id === value) ? projectIn(projects, value) : undefined;
  if (key !== "note" && key !== "title") return undefined;
  const decoded = decodedText(value);
  if (decoded === undefined) return undefined;
  return key === "note" ? { note: decoded } : { title: decoded };
}

function decodedText(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
