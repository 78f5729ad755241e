import type { FileToolInput } from "../../events/agent-tools/file-tools.ts";
import type { ProjectId } from "../../events/ids.ts";
import { escapedName } from "../../shared/privacy/delimiters.ts";
import type { ToolOutcome } from "../access/file-access.ts";
import { contentText } from "../access/present.ts";
import type { GrepFilesResult } from "../access/tools/reading/grep-files.ts";
import type { ListFilesResult } from "../access/tools/reading/list-files.ts";
import type { ShownText } from "../access/tools/reading/shown-text.ts";
import type { ActionResult, FilePart } from "./action-result.ts";
import type { HiddenFiles } from "./hidden-files.ts";
import type { OpenedProject } from "./opened-projects.ts";
import { refusalOf } from "./refusals.ts";

/** Files a listing gives at once, about 16 tokens each; the rest are a page further. */
const maxListedFiles = 500;
/** Lines around a match when the model does not say. */
const contextLines = 1;

/**
 * Up to 500 files of a project for the agent in the cloud, without those the person hides from it. A failure of the
 * file layer is a result with an error (see {@link refusalOf}).
 */
export async function listFiles(
  { project, session, hidden }: OpenedProject,
  input: FileToolInput<"list_files">,
): Promise<ActionResult> {
  const limited = { ...input, limit: Math.min(input.limit, maxListedFiles) };
  const outcome = await project.access.call(session, "list_files", limited);
  if (!outcome.ok) return refusalOf(outcome.error, input.path);
  const files = await withoutHidden(outcome.result.files, hidden);
  const paths = new Set(files.map(({ path }) => path));
  const entryDocuments = outcome.result.entryDocuments.filter((path) => paths.has(path));
  return listed({ ...outcome.result, files, entryDocuments });
}

/** Lines of a file, and where they stand, so that an answer can quote them. Failures as of {@link listFiles}. */
export async function readLines(
  { id, project, session }: OpenedProject,
  input: FileToolInput<"read_lines">,
): Promise<ActionResult> {
  return shownOrRefused(id, await project.access.call(session, "read_lines", input), input.path);
}

/**
 * Lines that match, without those of hidden files; lines that follow one another are one part. Failures as of
 * {@link listFiles}.
 */
export async function grepFiles(
  { id, project, session, hidden }: OpenedProject,
  input: FileToolInput<"grep_files">,
): Promise<ActionResult> {
  const outcome = await project.access.call(session, "grep_files", { contextLines, ...input });
  if (!outcome.ok) return refusalOf(outcome.error, input.paths?.join(", ") ?? "");
  const matches = await withoutHidden(outcome.result.matches, hidden);
  return matched(id, { ...outcome.result, matches, filesMatched: new Set(matches.map(({ path }) => path)).size });
}

/** Passages about some words, and texts that were kept earlier. Failures as of {@link listFiles}. */
export async function searchContent(
  { id, project, session }: OpenedProject,
  input: FileToolInput<"search_content">,
): Promise<ActionResult> {
  const outcome = await project.access.call(session, "search_content", input);
  if (!outcome.ok) return refusalOf(outcome.error, "");
  const { passages, earlier, tokens: _, hasAll, filesSearched, near, notes } = outcome.result;
  const paths = [...new Set(passages.map(({ path }) => path))];
  const ofEarlier = earlier.flatMap(({ files }) => files);
  const about = {
    files: paths.length,
    filesSearched,
    ...(paths.length > 0 && !hasAll && { nearest: "Nothing has all of these words." }),
    ...(earlier.length > 0 && { earlier: earlier.length }),
    ...(near.length > 0 && { near }),
    ...(notes.length > 0 && { notes }),
  };
  return {
    text: [oneLine(about), contentText(passages, earlier)].join("\n"),
    filesRead: [...new Set([...paths, ...ofEarlier])].map((path) => ({ projectId: id, path })),
    parts: passages.map(({ path, startLine, text }) => ({ projectId: id, path, line: startLine, text })),
  };
}

async function withoutHidden<T extends { readonly path: string }>(
  all: readonly T[],
  hidden: HiddenFiles,
): Promise<T[]> {
  const kept = await hidden.among([...new Set(all.map(({ path }) => path))]);
  return all.filter(({ path }) => !kept.has(path));
}

/** Text of a file behind a line of what is to be known about it. The cloud sets it between marker lines of its own. */
export function shownOrRefused(
  projectId: ProjectId,
  outcome: ToolOutcome<"read_file" | "read_lines">,
  asked: string,
): ActionResult {
  if (!outcome.ok) return refusalOf(outcome.error, asked);
  const { path, startLine, text } = outcome.result;
  return {
    text: textOf(outcome.result),
    filesRead: [{ projectId, path }],
    parts: [{ projectId, path, line: startLine, text }],
  };
}

/** One line of JSON about a piece of a file (its path, lines, notes, summary), and below it the text itself. */
export function textOf({ path, startLine, endLine, totalLines, notes, summary, text }: ShownText): string {
  const about = {
    path,
    lines: `${startLine}-${endLine} of ${totalLines}`,
    ...(notes.length > 0 && { notes }),
    ...(summary && { summary }),
  };
  return `${oneLine(about)}\n${text}`;
}

function listed({ files, entryDocuments, next, notes }: ListFilesResult): ActionResult {
  const lines = files.map(({ path, sizeBytes, tags }) =>
    [escapedName(path), ...(sizeBytes === undefined ? [] : [`${sizeBytes} bytes`]), tags.join(",")].join(" ").trim(),
  );
  const about = {
    files: files.length,
    ...(entryDocuments.length > 0 && { readFirst: entryDocuments }),
    ...(next !== undefined && { after: next, more: "Call again with this as after." }),
    ...(notes.length > 0 && { notes }),
  };
  return { text: [oneLine(about), ...lines].join("\n") };
}

function matched(projectId: ProjectId, { matches, filesMatched, notes }: GrepFilesResult): ActionResult {
  const lines = matches.map(
    ({ path, line, kind, text }) => `${escapedName(path)}:${line}${kind === "match" ? ":" : "-"} ${text}`,
  );
  const about = { filesMatched, ...(notes.length > 0 && { notes }) };
  return {
    text: [oneLine(about), ...lines].join("\n"),
    filesRead: [...new Set(matches.map(({ path }) => path))].map((path) => ({ projectId, path })),
    parts: togetherIn(projectId, matches),
  };
}

/** Lines that follow one another are one part: what somebody quotes may run over several. */
function togetherIn(projectId: ProjectId, matches: GrepFilesResult["matches"]): FilePart[] {
  const parts: (FilePart & { readonly next: number })[] = [];
  for (const { path, line, text } of matches) {
    const last = parts.at(-1);
    if (last?.path === path && last.next === line) {
      parts[parts.length - 1] = { ...last, text: `${last.text}\n${text}`, next: line + 1 };
    } else parts.push({ projectId, path, line, text, next: line + 1 });
  }
  return parts.map(({ next: _, ...part }) => part);
}

/** JSON on one line: names in it are escaped by its rules. */
export const oneLine = (value: unknown): string => JSON.stringify(value);
