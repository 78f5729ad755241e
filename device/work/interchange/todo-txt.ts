import type { Priority } from "../../../events/categorize.ts";
import type { Draft, Task } from "../entities.ts";
import { type FileProjects, type FileTask, idIn, inOneLine, projectIn, projectWord } from "./task-file.ts";

/** Priorities of todo.txt are letters (https://github.com/todotxt/todo.txt); later ones mean "later". */
const letters: Readonly<Record<Priority, string>> = { now: "A", soon: "B", later: "C", none: "" };
const priorityOf = (letter: string): Priority => (letter === "A" ? "now" : letter === "B" ? "soon" : "later");

const day = /^\d{4}-\d\d-\d\d$/;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
/** What the form itself would read out of a title. */
const misread = /(?:^|\s)(?:[^\s:]+:\S|[+@]\S)|^x\s|^\([A-Z]\)\s|^\d{4}-\d\d-\d\d(?:\s|$)/u;

/** Tasks as todo.txt, a line each. What the form has no word for is a `key:value` of its own, so that nothing is lost. */
export function writeTodoTxt(tasks: readonly Task[], projects: FileProjects): string {
  return tasks.map((task) => `${lineOf(task, projects)}\n`).join("");
}

function lineOf(task: Task, projects: FileProjects): string {
  const { id, title, note, due, priority, status, projectId, doneAt, createdAt } = task;
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const letter = letters[priority];
  const plain = inOneLine(title);
  const project = projects.find((each) => each.id === projectId);
  return [
    ...(status === "done" ? ["x", dayOf(doneAt ?? createdAt)] : letter === "" ? [] : [`(${letter})`]),
    dayOf(createdAt),
    plain,
    ...(plain === title && !misread.test(title) ? [] : [`title:${encodeURIComponent(title)}`]),
    ...(project === undefined ? [] : [`+${projectWord(project.name)}`, `prj:${project.id}`]),
    ...(due === null ? [] : [`due:${due.slice(0, 10)}`, ...(due.endsWith("Z") ? [`at:${due}`] : [])]),
    ...(status === "done" && letter !== "" ? [`pri:${letter}`] : []),
    ...(note === "" ? [] : [`note:${encodeURIComponent(note)}`]),
    `id:${id}`,
  ].join(" ");
}

/** Reads todo.txt; a project nobody knows here stays a word of the title. */
export function readTodoTxt(text: string, projects: FileProjects): FileTask[] {
  return text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map((line) => taskOf(line, projects));
}

function taskOf(line: string, projects: FileProjects): FileTask {
  const words = line.trim().split(/\s+/u);
  const isDone = words[0] === "x" && words.length > 1;
  if (isDone) words.shift();
  const letter = isDone ? undefined : /^\(([A-Z])\)$/.exec(words[0] ?? "")?.[1];
  if (letter !== undefined) words.shift();
  const dates: string[] = [];
  while (dates.length < (isDone ? 2 : 1) && day.test(words[0] ?? "")) dates.push(words.shift() ?? "");
  const doneAt = isDone && dates[0] !== undefined ? Date.parse(dates[0]) : Number.NaN;
  let said: Draft<"task"> = letter === undefined ? {} : { priority: priorityOf(letter) };
  let id: string | undefined;
  // Written by us: what stands before is the title once more, for who does not know the key.
  const titled = words.findLastIndex((word) => word.startsWith("title:") && saidBy(word, projects) !== undefined);
  const left = words.slice(Math.max(0, titled)).filter((word) => {
    const key = /^(id):(.+)$/u.exec(word)?.[2];
    if (idIn(key) !== undefined) {
      id = idIn(key);
      return false;
    }
    const more = saidBy(word, projects);
    if (more !== undefined) said = { ...said, ...more };
    return more === undefined;
  });
  const title = said.title ?? (left.join(" ") || "(no title)");
  const status = isDone
    ? { status: "done" as const, doneAt: Number.isNaN(doneAt) ? null : doneAt }
    : { status: "open" as const };
  return { id, draft: { note: "", due: null, priority: "none", projectId: null, ...said, ...status, title } };
}

/** What a word says beyond being a word of the title. */
function saidBy(word: string, projects: FileProjects): Draft<"task"> | undefined {
  if (word.startsWith("+")) {
    const project = projects.find(({ name }) => `+${projectWord(name)}` === word);
    return project === undefined ? undefined : { projectId: project.id };
  }
  const [, key = "", value = ""] = /^([a-z]+):(.+)$/u.exec(word) ?? [];
  if (key === "due" && day.test(value)) return { due: value };
  if (key === "at" && moment.test(value)) return { due: value };
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
