import type { Exchange, MadeCall } from "./exchange.ts";
import { plain } from "./file-list.ts";
import { best, questionTerms, terms } from "./relevance.ts";

const maxQuotes = 4;
const maxQuoteCharacters = 300;

/** A line of a file that a tool has shown. */
export interface Line {
  readonly path: string;
  readonly text: string;
}

/** All lines that tools have shown, with the files they are of. */
export function shownLines(made: readonly MadeCall[]): Line[] {
  return made.flatMap((call) => {
    if (call.name === "search_content") return passageLines(call);
    return call.name === "grep_files" ? matchLines(call) : fileLines(call);
  });
}

const passageHead = /^== ("(?:[^"\\]|\\.)*") lines (\d+)-(\d+), score /;

/** Where a search by content has found something. */
export interface FoundPlace {
  readonly projectId: unknown;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Places that searches by content have found, best first in each. */
export function foundPlaces(made: readonly MadeCall[]): FoundPlace[] {
  return made.flatMap(({ name, data, result }) => {
    if (name !== "search_content") return [];
    return result.split("\n").flatMap((line) => {
      const [, path = "", startLine, endLine] = passageHead.exec(line) ?? [];
      if (path === "") return [];
      return [
        { projectId: data["project_id"], path: plain(path), startLine: Number(startLine), endLine: Number(endLine) },
      ];
    });
  });
}

/** Whether there is an index in which was looked. */
export function hasIndex(made: readonly MadeCall[]): boolean {
  return made.some(({ name, result }) => name === "search_content" && /^\{[^\n]*"filesSearched":[1-9]/.test(result));
}

function passageLines({ result }: MadeCall): Line[] {
  let path = "";
  return result.split("\n").flatMap((line) => {
    const name = passageHead.exec(line)?.[1];
    if (name !== undefined) path = plain(name);
    return name !== undefined || path === "" || line.trim() === "" ? [] : [{ path, text: line.trim() }];
  });
}

function fileLines({ name, data, result }: MadeCall): Line[] {
  if (name !== "read_project_folder_file" && name !== "read_lines") return [];
  const path = String(data["relative_path"] ?? data["path"] ?? "");
  const [first = "", ...rest] = result.split("\n");
  // The first line is what the device says about the text, when it is JSON.
  const lines = first.startsWith("{") ? rest : /^\w+: /.test(first) && rest.length === 0 ? [] : [first, ...rest];
  return lines.map((text) => ({ path, text: text.trim() })).filter(({ text }) => text !== "");
}

function matchLines({ result }: MadeCall): Line[] {
  return result.split("\n").flatMap((line) => {
    const [, name = "", text = ""] = /^("(?:[^"\\]|\\.)*"|[^\s:]+):\d+[:-] (.*)$/.exec(line) ?? [];
    return name === "" || text.trim() === "" ? [] : [{ path: plain(name), text: text.trim() }];
  });
}

/** The lines that fit a question best, each once. */
export function bestLines(question: readonly string[], lines: readonly Line[], most = maxQuotes): Line[] {
  const distinct = new Map(lines.map((line) => [`${line.path}\n${line.text}`, line]));
  return best(question, [...distinct.values()], ({ text }) => text, most);
}

/** The share of a question's words that some of these lines hold. */
export function coverage(question: readonly string[], lines: readonly Line[]): number {
  const found = new Set(lines.flatMap(({ text }) => terms(text)));
  return question.length === 0 ? 1 : question.filter((word) => found.has(word)).length / question.length;
}

/** An answer that is nothing but quotations: this model has no words of its own. */
export function quotingAnswer({ question, made }: Exchange): string {
  const lines = shownLines(made);
  const quotes = bestLines(questionTerms(question), lines);
  if (quotes.length > 0) {
    const quoted = quotes.map(({ path, text }) => `- ${path}: "${shortened(text)}"`);
    return ["This is what the files say about it:", ...quoted].join("\n");
  }
  const looked = [...new Set(lines.map(({ path }) => path))];
  const where = looked.length === 0 ? "" : ` I looked into ${looked.join(", ")}.`;
  return `The files say nothing about this that I could find.${where}`;
}

function shortened(text: string): string {
  return text.length <= maxQuoteCharacters ? text : `${text.slice(0, maxQuoteCharacters - 1).toWellFormed()}…`;
}
