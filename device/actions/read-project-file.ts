import { isUtf8 } from "node:buffer";
import type { IndexedKind } from "../../events/frames/folders.ts";
import type { ProjectId } from "../../events/ids.ts";
import { head, shownCharacters } from "../../shared/llm/shown-text.ts";
import { nameOf } from "../files/paths/project-path.ts";
import { maxBase64Characters, type ReadsDocuments, readDocument } from "../folders/extraction/read-document.ts";
import { kindOfName } from "../folders/scanner/kinds.ts";
import { maxBytesOf } from "../folders/scanner/limits.ts";
import { skipReasons } from "../folders/scanner/reasons.ts";
import { type ActionResult, failed } from "./action-result.ts";
import { oneLine, shownOrRefused } from "./file-tools.ts";
import type { OpenedProject } from "./opened-projects.ts";
import { refusalOf } from "./refusals.ts";

const maxCharacters = shownCharacters.filePage;
/** Lines read when a file of very short lines is more than may be given at once. */
const maxLines = 2_000;
/** Tokens of a document that are taken out of it: when the whole can be kept, and when it can only be shown. */
const extractedTokens = { kept: 100_000, shown: 6_000 } as const;
/** Their shape says more than their beginning. */
const dataFile = /\.(?:csv|tsv|json|jsonl|ndjson)$/i;
/** Larger data is read by lines. */
const maxDataBytes = 32 * 1024 * 1024;

export interface ReadFileOptions {
  readonly extract: ReadsDocuments;
  /** What the manifest says of a file: shown with an image, which few models can make something of. */
  readonly summaryOf: (path: string) => string | null;
  /** Whether there is a place for what is too long to be shown. */
  readonly keepsWhole: boolean;
}

/**
 * One file for a model. Text comes cut to a size, with a word about what is missing; documents as their text; images as
 * base64 with their type. Credentials are taken out of text. Every call is in the project's audit trail, refusals as well.
 */
export async function readProjectFile(
  opened: OpenedProject,
  relativePath: string,
  options: ReadFileOptions,
): Promise<ActionResult> {
  const kind = kindOfName(nameOf(relativePath));
  return kind === undefined || kind === "text"
    ? readText(opened, relativePath, options)
    : readBinary(opened, relativePath, kind, options);
}

async function readText(
  { id, project, session }: OpenedProject,
  path: string,
  { keepsWhole }: ReadFileOptions,
): Promise<ActionResult> {
  const { access } = project;
  const read = await access.call(session, "read_file", { path, maxChars: maxCharacters, full: true });
  if (read.ok || !["approval_refused", "budget_exceeded"].includes(read.error.code)) {
    const isCutData = keepsWhole && read.ok && read.result.nextChar !== undefined && dataFile.test(path);
    const result = shownOrRefused(id, read, path);
    return isCutData ? { ...result, ...(await wholeData({ project, session }, path)) } : result;
  }
  // Either a person would have to be asked, or there are more lines than may be given: then its beginning is.
  const begin = await access.call(session, "read_lines", { path, startLine: 1, endLine: maxLines });
  return shownOrRefused(id, begin, path);
}

/** All of a data file, without credentials; nothing when it is too large or no UTF-8. */
async function wholeData({ project, session }: Pick<OpenedProject, "project" | "session">, path: string) {
  const file = await project.access.readBytes(session, path, maxDataBytes);
  if (!file.ok || !isUtf8(file.bytes)) return {};
  const text = project.access.kit.redactor.redact(Buffer.from(file.bytes).toString("utf8")).text;
  return { whole: { text, name: nameOf(file.path), isData: true } };
}

async function readBinary(
  { id, project, session }: OpenedProject,
  path: string,
  kind: Exclude<IndexedKind, "text">,
  options: ReadFileOptions,
): Promise<ActionResult> {
  const { access } = project;
  const file = await access.readBytes(session, path, maxBytesOf(kind));
  if (!file.ok) return refusalOf(file.error, path);
  const { bytes } = file;
  const about = { path: file.path, ...summaryIn(options.summaryOf(file.path)) };
  const maxContentTokens = options.keepsWhole ? extractedTokens.kept : extractedTokens.shown;
  const read = await readDocument({ kind, bytes, maxContentTokens }, options.extract);
  switch (read.kind) {
    case "image": {
      const note = read.isSmaller ? { note: `Made smaller: the file has ${bytes.length} bytes.` } : {};
      return shownImage(id, { ...about, ...note }, read.mimeType, read.base64);
    }
    case "text":
      return shownDocument(id, file.path, read);
    case "unreadable":
      return failed("unreadable", `Could not extract text: ${oneLine(file.path)} is ${skipReasons[read.reason]}.`);
  }
}

const summaryIn = (summary: string | null) => (summary === null ? {} : { summary });

function shownDocument(
  projectId: ProjectId,
  path: string,
  { text, redactions }: { readonly text: string; readonly redactions: number },
): ActionResult {
  const isCut = text.length > maxCharacters;
  const notes = [
    ...(isCut ? [`Characters 0 to ${maxCharacters} of ${text.length}.`] : []),
    ...(redactions > 0 ? [`${redactions} credentials are replaced by \u27e6redacted:…\u27e7.`] : []),
  ];
  const about = { path, extracted: true, ...(notes.length > 0 && { notes }) };
  const beginning = head(text, maxCharacters);
  return {
    text: `${oneLine(about)}\n${beginning}`,
    filesRead: [{ projectId, path }],
    parts: [{ projectId, path, line: 1, text: beginning }],
    ...(isCut && { whole: { text } }),
  };
}

function shownImage(
  projectId: ProjectId,
  about: { readonly path: string },
  mimeType: string,
  base64: string,
): ActionResult {
  const isTooLong = base64.length > maxBase64Characters;
  const facts = { ...about, mimeType, ...(isTooLong && { left: "Too large to be shown." }) };
  const text = isTooLong ? oneLine(facts) : `${oneLine(facts)}\n${base64}`;
  return { text, filesRead: [{ projectId, path: about.path }] };
}
