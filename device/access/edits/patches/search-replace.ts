import { lineChanges } from "../lines/line-diff.ts";
import type { FilePatch, Hunk, HunkLine } from "./patch.ts";
import { PatchLines, withStatedEndings } from "./patch-lines.ts";

const startMark = /^(?:<{5,9}|-{5,9}) ?SEARCH>?\s*$/;
const divider = /^={5,9}\s*$/;
const endMark = /^(?:>{5,9}|\+{5,9}) ?REPLACE>?\s*$/;

/**
 * Search/replace blocks as aider and its relatives write them, all about `path` when it is given. Otherwise the path stands
 * on the line above a block, or is that of the block before. A block with nothing to search for makes a new file.
 *
 * @throws AccessError `patch_malformed`
 */
export function parseSearchReplace(text: string, path?: string): FilePatch[] {
  const lines = new PatchLines(text);
  const byPath = new Map<string, { hunks: Hunk[]; content: string | undefined }>();
  let current = path;
  let above = "";
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    if (!startMark.test(line)) {
      if (line.trim() !== "" && !line.startsWith("```")) above = line;
      continue;
    }
    if (path === undefined) current = pathOn(above) ?? current;
    above = "";
    if (current === undefined) throw lines.malformed("no path above the block.");
    const search = block(lines, divider);
    const replace = block(lines, endMark);
    const file = byPath.get(current) ?? { hunks: [], content: undefined };
    byPath.set(current, file);
    if (search.length > 0) file.hunks.push(toHunk(search, replace));
    else if (file.content !== undefined) throw lines.malformed("a second block that would make the same file.");
    else file.content = replace.map((each) => `${each}\n`).join("");
  }
  return [...byPath].map(([filePath, { hunks, content }]): FilePatch => {
    if (content === undefined) return { kind: "update", path: filePath, hunks };
    if (hunks.length > 0) throw lines.malformed(`${filePath} is made and changed in one patch.`);
    return { kind: "add", path: filePath, content };
  });
}

/** Whether a text holds at least one block. */
export function holdsSearchReplace(text: string): boolean {
  return text.split("\n").some((line) => startMark.test(line));
}

function block(lines: PatchLines, end: RegExp): string[] {
  const body: string[] = [];
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    if (end.test(line)) return body;
    if (startMark.test(line) || divider.test(line) || endMark.test(line)) {
      throw lines.malformed("a mark of a block inside a block; use another patch format for such text.");
    }
    body.push(line);
  }
  throw lines.malformed("a block that does not end; was the patch cut off?");
}

/** The path on a line, without the marks that models put around it; undefined for prose. */
function pathOn(line: string): string | undefined {
  const text = line
    .trim()
    .replace(/^(?:#+|\*+|File:|file:)\s*/, "")
    .replace(/(?<![*:])[*:]+$/, "")
    .replace(/^`(.*)`$/, "$1");
  return text === "" || /\s{2}|[.!?] |[<>|]/.test(text) ? undefined : text;
}

/** Lines that search and replacement share are context: their bytes stay. */
function toHunk(search: readonly string[], replace: readonly string[]): Hunk {
  const lines: HunkLine[] = [];
  let at = 0;
  const keepUntil = (end: number) => {
    for (; at < end; at++) lines.push({ kind: "context", text: search[at] ?? "" });
  };
  for (const change of lineChanges(search, replace)) {
    keepUntil(change.oldStart);
    for (; at < change.oldEnd; at++) lines.push({ kind: "remove", text: search[at] ?? "" });
    for (const text of replace.slice(change.newStart, change.newEnd)) lines.push({ kind: "add", text });
  }
  keepUntil(search.length);
  return { lines: withStatedEndings(lines), anchors: [], atStart: false, atEnd: false };
}
