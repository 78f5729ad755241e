import type { FilePatch, Hunk, HunkLine } from "./patch.ts";
import { PatchLines, withStatedEndings } from "./patch-lines.ts";

/**
 * A patch in the format that OpenAI's models are trained on ("V4A": `*** Begin Patch` … `*** End Patch`; GPT-4.1 prompting
 * guide, appendix). A patch without its end was cut off and is refused.
 *
 * @throws AccessError `patch_malformed`
 */
export function parseV4aPatch(text: string): FilePatch[] {
  const lines = new PatchLines(text.trim());
  if (lines.header()?.trim() !== "*** Begin Patch") throw lines.malformed("*** Begin Patch is missing.");
  lines.skip(1);
  const files: FilePatch[] = [];
  for (;;) {
    const line = lines.header()?.trim();
    if (line === undefined) throw lines.malformed("*** End Patch is missing; was the patch cut off?");
    if (line === "*** End Patch") break;
    if (line === "") lines.skip(1);
    else files.push(readFile(lines, line));
  }
  if (lines.peek(1) !== undefined) throw lines.malformed("text after *** End Patch.");
  return files;
}

function readFile(lines: PatchLines, header: string): FilePatch {
  const match = /^\*\*\* (Add|Delete|Update) File: (.+)$/.exec(header);
  if (match === null) throw lines.malformed(`not a file header: ${header}`);
  lines.skip(1);
  const path = match[2] ?? "";
  if (match[1] === "Delete") return { kind: "delete", path, hunks: [] };
  return match[1] === "Add" ? readAdded(lines, path) : readUpdate(lines, path);
}

function readAdded(lines: PatchLines, path: string): FilePatch {
  let content = "";
  for (let line = lines.peek(); line?.startsWith("+"); line = lines.peek()) {
    content += `${line.slice(1)}\n`;
    lines.skip(1);
  }
  return { kind: "add", path, content };
}

function readUpdate(lines: PatchLines, path: string): FilePatch {
  const move = /^\*\*\* Move to: (.+)$/.exec(lines.header()?.trim() ?? "")?.[1];
  if (move !== undefined) lines.skip(1);
  const hunks: Hunk[] = [];
  while (!endsFile(lines)) hunks.push(readHunk(lines));
  return { kind: "update", path, ...(move === undefined ? {} : { moveTo: move }), hunks };
}

/** The last line of a patch may be indented; a header between files may not, or it could not be told from context. */
function endsFile(lines: PatchLines): boolean {
  const line = lines.header();
  if (line === undefined) return true;
  return /^\*\*\* (?:(?:Add|Delete|Update) File: |End Patch)/.test(line) || endsPatch(lines, line);
}

const endsPatch = (lines: PatchLines, line: string) => line.trim() === "*** End Patch" && lines.peek(1) === undefined;

function readHunk(lines: PatchLines): Hunk {
  const anchors: string[] = [];
  for (let line = lines.header(); line?.startsWith("@@"); line = lines.header()) {
    // Some models close the anchor as a unified header is closed, or number it as one.
    const anchor = line
      .slice(2)
      .replace(/^ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/, "")
      .replace(/ @@$/, "")
      .replace(/^ /, "");
    if (anchor.trim() !== "") anchors.push(anchor);
    lines.skip(1);
  }
  const body: HunkLine[] = [];
  let atEnd = false;
  while (!endsFile(lines)) {
    const header = lines.header() ?? "";
    if (header.startsWith("@@")) break;
    if (header.trimEnd() === "*** End of File") {
      atEnd = true;
      lines.skip(1);
      break;
    }
    const line = bodyLine(lines.peek() ?? "");
    if (line === undefined) throw lines.malformed("a line of a hunk starts with a space, + or -.");
    body.push(line);
    lines.skip(1);
  }
  if (body.length === 0) throw lines.malformed("a hunk without lines.");
  return { lines: withStatedEndings(body), anchors, atStart: false, atEnd };
}

function bodyLine(raw: string): HunkLine | undefined {
  if (raw === "" || raw === "\r") return { kind: "context", text: raw };
  const text = raw.slice(1);
  if (raw[0] === " ") return { kind: "context", text };
  if (raw[0] === "-") return { kind: "remove", text };
  return raw[0] === "+" ? { kind: "add", text } : undefined;
}
