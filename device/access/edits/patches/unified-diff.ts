import { AccessError } from "../../errors.ts";
import type { FilePatch, Hunk, HunkLine } from "./patch.ts";
import { PatchLines, withStatedEndings } from "./patch-lines.ts";

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const looseHunkHeader = /^@@(?: .*)?$/;

interface FileHeader {
  oldPath?: string;
  newPath?: string;
  renameFrom?: string;
  renameTo?: string;
  mode?: number;
}

/**
 * A unified diff as git, GNU diff or a model writes it (POSIX diff -u; git-diff(1) "Generating patch text with -p").
 * Line counts in hunk headers are checked: where they are wrong, as models get them, the hunk's stated position is not
 * relied on either.
 *
 * @throws AccessError `patch_malformed`
 */
export function parseUnifiedDiff(text: string): FilePatch[] {
  const lines = new PatchLines(text);
  const files: FilePatch[] = [];
  for (let line = lines.header(); line !== undefined; line = lines.header()) {
    const startsFile = line.startsWith("diff --git ") || (line.startsWith("--- ") && isPlusHeader(lines.header(1)));
    if (startsFile) files.push(readFile(lines));
    else if (hunkHeader.test(line)) throw lines.malformed("a hunk without a file header (--- and +++).");
    else lines.skip(1);
  }
  return files;
}

/** Hunks without any file header, for a file the caller names. */
export function parseBareHunks(text: string, path: string): FilePatch[] {
  const lines = new PatchLines(text);
  while (lines.peek() !== undefined && !isHunkHeader(lines.header() ?? "")) lines.skip(1);
  return [{ kind: "update", path, hunks: readHunks(lines) }];
}

const isPlusHeader = (line: string | undefined) => line?.startsWith("+++ ") === true;
const isHunkHeader = (line: string) => hunkHeader.test(line) || looseHunkHeader.test(line);

function readFile(lines: PatchLines): FilePatch {
  const header: FileHeader = {};
  for (let line = lines.header(); line !== undefined && !isHunkHeader(line); line = lines.header()) {
    if (line.startsWith("diff --git ")) {
      if (Object.keys(header).length > 0) break;
      Object.assign(header, gitPaths(line));
    } else if (line.startsWith("--- ") && isPlusHeader(lines.header(1))) {
      header.oldPath = headerPath(line.slice(4));
      header.newPath = headerPath((lines.header(1) ?? "").slice(4));
      lines.skip(2);
      break;
    } else if (line.startsWith("rename from ")) header.renameFrom = unquoted(line.slice(12));
    else if (line.startsWith("rename to ")) header.renameTo = unquoted(line.slice(10));
    else if (line.startsWith("new file mode ")) {
      header.oldPath = "/dev/null";
      header.mode = regularMode(line.slice(14), lines) & 0o777;
    } else if (line.startsWith("deleted file mode ")) {
      regularMode(line.slice(18), lines);
      header.newPath = "/dev/null";
    } else if (/^(?:GIT binary patch|Binary files )/.test(line)) throw lines.malformed("binary patches are not taken.");
    else if (/^(?:old mode|new mode|copy from|copy to) /.test(line)) {
      throw lines.malformed("changes of mode and copies are not taken.");
    } else if (line.startsWith("index ")) {
      const mode = / (\d{6})$/.exec(line)?.[1];
      if (mode !== undefined) regularMode(mode, lines);
    } else if (!/^(?:similarity index |dissimilarity index )/.test(line)) break;
    lines.skip(1);
  }
  return toFilePatch(header, readHunks(lines), lines);
}

/**
 * Mode of a file as git has them: 100644 or 100755 (100664 in old repositories). A symbolic link (120000) or a submodule
 * (160000) is no text, and a file with another mode nobody could open.
 *
 * @throws AccessError `patch_malformed`
 */
function regularMode(text: string, lines: PatchLines): number {
  if (/^100(?:644|664|755)$/.test(text.trim())) return Number.parseInt(text, 8);
  throw lines.malformed(`mode ${text.trim().slice(0, 12)} is not that of a regular file (100644, 100755).`);
}

function toFilePatch(header: FileHeader, hunks: Hunk[], lines: PatchLines): FilePatch {
  const [oldPath, newPath] = withoutPrefixes(header.oldPath, header.newPath);
  const from = header.renameFrom ?? oldPath;
  const to = header.renameTo ?? newPath;
  if (from === undefined || to === undefined) throw lines.malformed("no path.");
  if (from === "/dev/null") {
    const mode = header.mode === undefined ? {} : { mode: header.mode };
    return { kind: "add", path: to, content: addedText(hunks, lines), ...mode };
  }
  if (to === "/dev/null") return { kind: "delete", path: from, hunks };
  return { kind: "update", path: from, ...(to === from ? {} : { moveTo: to }), hunks };
}

function addedText(hunks: readonly Hunk[], lines: PatchLines): string {
  const added = hunks.flatMap((hunk) => hunk.lines);
  if (added.some(({ kind }) => kind !== "add")) throw lines.malformed("a new file has no lines to keep or remove.");
  return added.map(({ text, ending = "any" }) => text + (ending === "any" ? "\n" : ending)).join("");
}

function readHunks(lines: PatchLines): Hunk[] {
  const hunks: Hunk[] = [];
  for (let line = lines.header(); line !== undefined && isHunkHeader(line); line = lines.header()) {
    lines.skip(1);
    const stated = hunkHeader.exec(line);
    const hunk = stated === null ? undefined : countedHunk(lines, stated);
    hunks.push(hunk ?? looseHunk(lines));
  }
  return hunks;
}

/** The body as its header counts it, undefined when header and body disagree; then nothing has been read. */
function countedHunk(lines: PatchLines, header: RegExpExecArray): Hunk | undefined {
  const oldStart = Number(header[1]);
  let oldLeft = Number(header[2] ?? 1);
  let newLeft = Number(header[4] ?? 1);
  const body: HunkLine[] = [];
  let ahead = 0;
  while (oldLeft > 0 || newLeft > 0) {
    const raw = lines.peek(ahead);
    const line = raw === undefined ? undefined : bodyLine(raw);
    if (line === undefined) return undefined;
    if (line === "no newline") markNoNewline(body);
    else {
      body.push(line);
      if (line.kind !== "add") oldLeft--;
      if (line.kind !== "remove") newLeft--;
    }
    ahead++;
  }
  if (oldLeft < 0 || newLeft < 0) return undefined;
  if (lines.peek(ahead)?.startsWith("\\")) {
    markNoNewline(body);
    ahead++;
  }
  const after = lines.header(ahead);
  // A line that looks like more of the hunk: the count is too small. "-- " ends a mail made by git-format-patch.
  if (after !== undefined && /^[ +-]/.test(after) && !/^(?:--- |-- ?$)/.test(after)) return undefined;
  lines.skip(ahead);
  const hasBefore = body[0]?.kind === "context";
  const hasAfter = body.at(-1)?.kind === "context";
  // git apply: a hunk for line 1 belongs to the start, one without lines after its change to the end (apply.c,
  // apply_one_fragment).
  return {
    lines: withStatedEndings(body, true),
    statedLine: oldStart,
    anchors: [],
    atStart: oldStart <= 1 && (hasBefore || body[0]?.kind !== undefined),
    atEnd: !hasAfter,
  };
}

/** The body up to the next header, whatever was counted. */
function looseHunk(lines: PatchLines): Hunk {
  const body: HunkLine[] = [];
  for (let raw = lines.peek(); raw !== undefined; raw = lines.peek()) {
    const header = lines.header() ?? "";
    const endsHunk =
      isHunkHeader(header) ||
      header.startsWith("diff ") ||
      (header.startsWith("--- ") && isPlusHeader(lines.header(1)));
    const line = endsHunk ? undefined : bodyLine(raw);
    if (line === undefined) break;
    if (line === "no newline") markNoNewline(body);
    else body.push(line);
    lines.skip(1);
  }
  // Blank lines at the end belong to the text around the patch more often than to the file.
  while (body.at(-1)?.kind === "context" && body.at(-1)?.text === "") body.pop();
  return { lines: withStatedEndings(body), anchors: [], atStart: false, atEnd: false };
}

function bodyLine(raw: string): HunkLine | "no newline" | undefined {
  const text = raw.slice(1);
  // Editors and models strip the one space of an empty context line.
  if (raw === "" || raw === "\r") return { kind: "context", text: raw };
  if (raw[0] === " ") return { kind: "context", text };
  if (raw[0] === "-") return { kind: "remove", text };
  if (raw[0] === "+") return { kind: "add", text };
  return raw[0] === "\\" ? "no newline" : undefined;
}

function markNoNewline(body: HunkLine[]): void {
  const last = body.pop();
  if (last !== undefined) body.push({ ...last, ending: "" });
}

function gitPaths(line: string): FileHeader {
  const match = /^diff --git ("?a\/.+"?) ("?b\/.+"?)$/s.exec(line);
  if (match === null) return {};
  return { oldPath: unquoted(match[1] ?? ""), newPath: unquoted(match[2] ?? "") };
}

/** The path of a `---` or `+++` line; GNU diff puts a tab and a time behind it. */
function headerPath(text: string): string {
  return unquoted(text.split("\t")[0]?.trimEnd() ?? "");
}

function withoutPrefixes(oldPath: string | undefined, newPath: string | undefined): (string | undefined)[] {
  const hasPrefixes =
    (oldPath === "/dev/null" || oldPath?.startsWith("a/")) && (newPath === "/dev/null" || newPath?.startsWith("b/"));
  if (!hasPrefixes) return [oldPath, newPath];
  return [oldPath, newPath].map((path) => (path === "/dev/null" ? path : path?.slice(2)));
}

/** git quotes unusual names as C does (git-config(1), core.quotePath): octal escapes are bytes of UTF-8. */
function unquoted(path: string): string {
  if (!path.startsWith('"') || !path.endsWith('"') || path.length < 2) return path;
  const bytes: number[] = [];
  const escapes: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };
  for (const match of path.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    const [, octal, escaped, plain] = match;
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (plain !== undefined) bytes.push(...Buffer.from(plain));
    else {
      const code = escapes[escaped ?? ""];
      if (code === undefined) throw new AccessError("patch_malformed", { detail: `The path ${path} is badly quoted.` });
      bytes.push(code);
    }
  }
  return Buffer.from(bytes).toString("utf8");
}
