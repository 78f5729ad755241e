import * as z from "zod";
import { type Exchange, type MadeCall, parsedObject } from "./exchange.ts";
import { type ListedProject, plain } from "./file-list.ts";
import { best, questionTerms, terms } from "./relevance.ts";
import { suggestionsTool, type WorkLine, workLines } from "./work-lines.ts";

const maxQuotes = 4;
/** Messages named when all that waits was asked for. */
const maxListed = 8;
const maxQuoteCharacters = 300;

/** A line of a file that a tool has shown. */
export interface Line {
  /** Id of its project; "" of what belongs to none. */
  readonly project: string;
  readonly path: string;
  readonly text: string;
}

/** All lines that tools have shown, with the files they are of. */
export function shownLines(made: readonly MadeCall[]): Line[] {
  return made.flatMap((call) => {
    if (call.name === searchByContent) return passageLines(call);
    if (call.name === attachmentsTool) return attachmentLines(call);
    return call.name === "grep_files" ? matchLines(call) : fileLines(call);
  });
}

/** What searches files by the device's index. */
export const searchByContent = "search_content";
/** What gives what the person attached to the question. */
export const attachmentsTool = "read_attachments";
const attachmentHead = /^<file-content ([0-9a-f]{32}) attached ("(?:[^"\\]|\\.)*")>$/;

function attachmentLines({ result }: MadeCall): Line[] {
  let [path, nonce] = ["", ""];
  return result.split("\n").flatMap((line) => {
    const [, next, name] = (nonce === "" && attachmentHead.exec(line)) || [];
    if (next !== undefined && name !== undefined) [path, nonce] = [plain(name), next];
    else if (line === `</file-content ${nonce}>`) nonce = "";
    else if (nonce !== "" && line.trim() !== "") return [{ project: "", path, text: line.trim() }];
    return [];
  });
}

const projectOf = ({ data }: MadeCall): string => String(data["project_id"] ?? "");

/** No line of a text begins so (`contentText` of device/access/present.ts). */
const headBegin = "== ";
const passageHead = /^== ("(?:[^"\\]|\\.)*") lines (\d+)-(\d+), score /;
/** Of a search in all projects: what follows is of this one. */
const projectHead = /^== project (prj_\w+) /;

/** Where a search by content has found something. */
export interface FoundPlace {
  readonly projectId: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Places that searches by content have found, best first in each. */
export function foundPlaces(made: readonly MadeCall[]): FoundPlace[] {
  return made.flatMap((call) => {
    if (call.name !== searchByContent) return [];
    let projectId = projectOf(call);
    return call.result.split("\n").flatMap((line) => {
      projectId = projectHead.exec(line)?.[1] ?? projectId;
      const [, path = "", startLine, endLine] = passageHead.exec(line) ?? [];
      return path === ""
        ? []
        : [{ projectId, path: plain(path), startLine: Number(startLine), endLine: Number(endLine) }];
    });
  });
}

/** Whether there is an index in which was looked. */
export function hasIndex(made: readonly MadeCall[]): boolean {
  return made.some(({ name, result }) => name === searchByContent && /^\{[^\n]*"filesSearched":[1-9]/.test(result));
}

function passageLines(call: MadeCall): Line[] {
  let project = projectOf(call);
  let path = "";
  return call.result.split("\n").flatMap((line) => {
    if (line.startsWith(headBegin)) {
      project = projectHead.exec(line)?.[1] ?? project;
      // What earlier runs left stands under heads of another form: they are words of no file.
      const name = passageHead.exec(line)?.[1];
      path = name === undefined ? "" : plain(name);
      return [];
    }
    return path === "" || line.trim() === "" ? [] : [{ project, path, text: line.trim() }];
  });
}

function fileLines(call: MadeCall): Line[] {
  const { name, data, result } = call;
  if (name !== "read_project_folder_file" && name !== "read_lines") return [];
  const path = String(data["relative_path"] ?? data["path"] ?? "");
  const [first = "", ...rest] = result.split("\n");
  // The first line is what the device says about the text, when it is JSON.
  const lines = first.startsWith("{") ? rest : /^\w+: /.test(first) && rest.length === 0 ? [] : [first, ...rest];
  return lines.map((text) => ({ project: projectOf(call), path, text: text.trim() })).filter(({ text }) => text !== "");
}

function matchLines(call: MadeCall): Line[] {
  return call.result.split("\n").flatMap((line) => {
    const [, name = "", text = ""] = /^("(?:[^"\\]|\\.)*"|[^\s:]+):\d+[:-] (.*)$/.exec(line) ?? [];
    return name === "" || text.trim() === ""
      ? []
      : [{ project: projectOf(call), path: plain(name), text: text.trim() }];
  });
}

/** The lines that fit a question best, each once. */
export function bestLines(question: readonly string[], lines: readonly Line[], most = maxQuotes): Line[] {
  const distinct = new Map(lines.map((line) => [`${line.project} ${line.path}\n${line.text}`, line]));
  return best(question, [...distinct.values()], ({ text }) => text, most);
}

/** The share of a question's words that some of these lines hold. */
export function coverage(question: readonly string[], lines: readonly Pick<Line, "text">[]): number {
  const found = new Set(lines.flatMap(({ text }) => terms(text)));
  return question.length === 0 ? 1 : question.filter((word) => found.has(word)).length / question.length;
}

/** Whether one piece of a person's messages or work holds all that was asked for. */
export function isAnsweredByWork(question: readonly string[], made: readonly MadeCall[]): boolean {
  return workLines(made).some((line) => {
    const held = new Set(terms(foundBy(line)));
    return question.length > 0 && question.every((word) => held.has(word));
  });
}

/**
 * An answer that is nothing but quotations: this model has no words of its own.
 *
 * @param projects all that were listed, by which it says where it did not look
 */
export function quotingAnswer({ question, attached, made }: Exchange, projects: readonly ListedProject[]): string {
  const wanted = questionTerms(question);
  const lines = shownLines(made);
  const named = namesOf(lines, projects);
  const files = bestLines(wanted, lines).map((line) => `- ${named(line)}: "${shortened(line.text)}"`);
  const work = workQuotes(wanted, made);
  const mail = attachedLines(attached).map((text) => `- "${shortened(text)}"`);
  const ofWork = work.length > 0 ? ["This is what your messages and your work say about it:", ...work] : [];
  const ofFiles = files.length > 0 ? ["This is what the files say about it:", ...files] : [];
  const parts = [
    ...(mail.length > 0 ? ["This is what the mail it came from says:", ...mail] : []),
    // What shares a word with the question by chance stands behind what answers it.
    ...(heldByFile(wanted, lines) > heldByWork(wanted, made) ? [ofFiles, ofWork] : [ofWork, ofFiles]).flat(),
  ];
  const elsewhere = [...notSearched(made), ...notLookedInto(made, projects)];
  if (parts.length > 0) return [...parts, ...elsewhere].join("\n");
  const looked = [...new Set(lines.map(named))];
  const where = looked.length === 0 ? "" : ` I looked into ${looked.join(", ")}.`;
  const what = made.some(({ name }) => name === suggestionsTool) ? "The files and your messages" : "The files";
  return `${what} say nothing about this that I could find.${[where, ...elsewhere].join("\n")}`;
}

/** The share of a question's words that one file holds at most, of what was shown of it. */
function heldByFile(question: readonly string[], lines: readonly Line[]): number {
  const files = Map.groupBy(lines, ({ project, path }) => `${project} ${path}`).values();
  return Math.max(0, ...[...files].map((shown) => coverage(question, shown)));
}

/** The same of one piece of a person's messages and work. */
const heldByWork = (question: readonly string[], made: readonly MadeCall[]): number =>
  Math.max(0, ...workLines(made).map((line) => coverage(question, [{ text: foundBy(line) }])));

/** How files are called: with their project, where they are of several. */
function namesOf(lines: readonly Line[], projects: readonly ListedProject[]): (line: Line) => string {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const isOfSeveral = new Set(lines.flatMap(({ project }) => (project === "" ? [] : [project]))).size > 1;
  return ({ project, path }) => (isOfSeveral && names.has(project) ? `${names.get(project)}/${path}` : path);
}

/** What a search in all projects says of folders it could not look into. */
function notSearched(made: readonly MadeCall[]): string[] {
  const heads = made.flatMap(({ name, result }) => (name === searchByContent ? [result.split("\n", 1)[0] ?? ""] : []));
  return heads.flatMap((head) => z.array(z.string()).safeParse(parsedObject(head)["notSearched"]).data ?? []);
}

/** What is to be said of projects whose files were not looked at, where it looked into those of others. */
function notLookedInto(made: readonly MadeCall[], projects: readonly ListedProject[]): string[] {
  if (hasIndex(made.filter((call) => projectOf(call) === ""))) return [];
  const looked = new Set(made.map(projectOf));
  const [into, others] = [projects.filter(({ id }) => looked.has(id)), projects.filter(({ id }) => !looked.has(id))];
  const [first] = others;
  if (into.length === 0 || first === undefined) return [];
  const names = into.map(({ name }) => name).join(", ");
  return [
    `Of ${projects.length} projects I looked into ${names}. To ask about another, name it, such as @${first.name}.`,
  ];
}

const foundBy = ({ about, text }: WorkLine) => `${about} ${text}`;

/** Lines of messages and work that fit a question best; all that wait, where it asked for nothing but what waits. */
function workQuotes(wanted: readonly string[], made: readonly MadeCall[]): string[] {
  const lines = workLines(made);
  const isAllAsked = made.some(({ name, data }) => name === suggestionsTool && data["query"] === undefined);
  const chosen = isAllAsked ? firstOfEach(lines) : best(wanted, lines, foundBy, maxQuotes);
  return chosen.map(({ source, text, after }) => {
    const behind = after === "" ? "" : ` (${after})`;
    return `- ${source}: "${shortened(text)}"${behind}`;
  });
}

const firstOfEach = (lines: readonly WorkLine[]): WorkLine[] =>
  [...new Map(lines.toReversed().map((line) => [line.source, line])).values()].toReversed().slice(0, maxListed);

/** What an attached mail says: its quotes, or how it begins. */
function attachedLines(attached: string): string[] {
  const of = (name: string) =>
    attached.split("\n").flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []));
  const says = of("says");
  return [...of("subject"), ...(says.length > 0 ? says : of("begins"))].slice(0, maxQuotes);
}

function shortened(text: string): string {
  return text.length <= maxQuoteCharacters ? text : `${text.slice(0, maxQuoteCharacters - 1).toWellFormed()}…`;
}
