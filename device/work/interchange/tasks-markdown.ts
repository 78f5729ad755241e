import * as z from "zod";
import { priorities } from "../../../events/proposals/categorize.ts";
import type { Draft, Task } from "../entities.ts";
import { type FileProjects, type FileTask, idIn, inOneLine, projectIn } from "./task-file.ts";

/** What stands behind a task in a comment that no reader shows; every field may be missing, or made by somebody else. */
const hidden = z.object({
  id: z.string().optional(),
  title: z.string().optional(),
  due: z.string().optional(),
  priority: z.enum(priorities).optional(),
  project: z.string().optional(),
  /** How many lines of note follow: they may look like tasks. */
  lines: z.int().min(0).optional(),
});

const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s+(\S.*)?$/u;
/** What stands below a task, set in. */
const indent = /^(?: {2}|\t)/;
/** What it holds has no such signs: they are written as escapes. */
const comment = / ?<!-- (\{[^<>]*\}) -->\s*$/u;

/** Tasks as a list of GitHub's Markdown; what it has no sign for stands in a comment, the note below, indented. */
export function writeTasksMarkdown(tasks: readonly Task[], projects: FileProjects): string {
  return tasks.map((task) => `${itemOf(task, projects)}\n`).join("");
}

function itemOf({ id, title, note, due, priority, status, projectId }: Task, projects: FileProjects): string {
  const plain = inOneLine(title);
  const known = projects.some((each) => each.id === projectId);
  const lines = note === "" ? [] : note.split("\n");
  const said = {
    id,
    ...(plain === title && !plain.includes("<!--") ? {} : { title }),
    ...(due === null ? {} : { due }),
    ...(priority === "none" ? {} : { priority }),
    ...(known ? { project: projectId } : {}),
    ...(lines.length > 0 ? { lines: lines.length } : {}),
  };
  // What would end the comment, or its line, is written as JSON's own escapes.
  const json = JSON.stringify(said).replace(
    /[<>\-\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `- [${status === "done" ? "x" : " "}] ${plain} <!-- ${json} -->${lines.map((line) => `\n  ${line}`).join("")}`;
}

/**
 * Reads the tasks of a Markdown text; what is no task and stands below none is passed over. A note goes on behind empty lines, as an
 * item of a list does (CommonMark §5.2), whose blanks an editor may have taken.
 */
export function readTasksMarkdown(text: string, projects: FileProjects): FileTask[] {
  const found: { readonly task: FileTask; readonly note: string[] }[] = [];
  let isNote = false;
  let noteLines = 0;
  let emptyLines = 0;
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    const [, mark, rest = ""] = noteLines > 0 ? [] : (item.exec(line) ?? []);
    if (mark !== undefined) {
      const { lines, ...task } = taskOf(mark !== " ", rest, projects);
      found.push({ task, note: [] });
      isNote = true;
      noteLines = lines;
      emptyLines = 0;
    } else if (isNote && noteLines <= 0 && line.trim() === "") emptyLines++;
    else if (isNote && (indent.test(line) || line.trim() === "")) {
      const note = found.at(-1)?.note;
      // Those between a task and its note are of neither.
      if (note !== undefined && note.length > 0) note.push(...Array.from({ length: emptyLines }, () => ""));
      note?.push(line.replace(indent, ""));
      emptyLines = 0;
      noteLines--;
    } else {
      isNote = false;
      noteLines = 0;
    }
  }
  return found.map(({ task: { id, draft }, note }) => ({ id, draft: { ...draft, note: note.join("\n") } }));
}

function taskOf(isDone: boolean, rest: string, projects: FileProjects): FileTask & { lines: number } {
  const [whole = "", json] = comment.exec(rest) ?? [];
  const parsed = json === undefined ? undefined : hidden.safeParse(jsonOf(json));
  const said = parsed?.success === true ? parsed.data : {};
  const plain = parsed?.success === true ? rest.slice(0, rest.length - whole.length) : rest;
  const draft: Draft<"task"> = {
    title: said.title ?? (plain.trim() || "(no title)"),
    due: said.due ?? null,
    priority: said.priority ?? "none",
    projectId: null,
    ...projectIn(projects, said.project),
    status: isDone ? "done" : "open",
  };
  return { id: idIn(said.id), draft, lines: said.lines ?? 0 };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
