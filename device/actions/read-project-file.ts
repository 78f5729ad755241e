import type { IndexedKind } from "../../events/folders.ts";
import { nameOf } from "../../shared/files/project-path.ts";
import type { Extraction, ExtractionJob } from "../scanner/extraction/extraction.ts";
import { imageHeader } from "../scanner/extraction/image-header.ts";
import { kindOfName } from "../scanner/kinds.ts";
import { scanLimits } from "../scanner/limits.ts";
import { skipReasons } from "../scanner/reasons.ts";
import { type ActionResult, failed } from "./action-result.ts";
import { oneLine, shownOrRefused } from "./file-tools.ts";
import type { OpenedProject } from "./opened-projects.ts";
import { refusalOf } from "./refusals.ts";

/** Characters of one file at once, about 6,000 tokens of prose; the rest is read by lines. */
const maxCharacters = 24_000;
/** Lines read when a file of very short lines is more than may be given at once. */
const maxLines = 2_000;
/** Tokens of a document at once. */
const maxDocumentTokens = 6_000;
/** An image travels as base64 in the text a model is given: a larger one would fill its window. */
const maxBase64Characters = 32_000;

/** Makes documents readable on this device; credentials are taken out of their text. */
export type Extract = (job: ExtractionJob) => Promise<Extraction>;

export interface ReadFileOptions {
  readonly extract: Extract;
  /** What the manifest says of a file: shown with an image, which few models can make something of. */
  readonly summaryOf: (path: string) => string | null;
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
    ? readText(opened, relativePath)
    : readBinary(opened, relativePath, kind, options);
}

async function readText({ project, session }: OpenedProject, path: string): Promise<ActionResult> {
  const { access } = project;
  const whole = await access.call(session, "read_file", { path, maxChars: maxCharacters, full: true });
  if (whole.ok || whole.error.code !== "approval_refused") return shownOrRefused(whole, path);
  // Either a person would have to be asked, or there are more lines than may be given at once.
  const begin = await access.call(session, "read_lines", { path, startLine: 1, endLine: maxLines });
  return shownOrRefused(begin, path);
}

async function readBinary(
  { project, session }: OpenedProject,
  path: string,
  kind: Exclude<IndexedKind, "text">,
  options: ReadFileOptions,
): Promise<ActionResult> {
  const { access } = project;
  const file = await access.readBytes(session, path, scanLimits.maxFileBytes[kind]);
  if (!file.ok) return refusalOf(file.error, path);
  const { bytes } = file;
  const about = { path: file.path, ...summaryIn(options.summaryOf(file.path)) };
  const format = kind === "image" ? imageHeader(bytes)?.format : undefined;
  if (format !== undefined && base64Length(bytes.length) <= maxBase64Characters) {
    return shownImage(about, `image/${format}`, Buffer.from(bytes).toString("base64"));
  }
  const extraction = await options.extract({ kind, bytes, maxContentTokens: maxDocumentTokens });
  if (extraction.outcome === "image") {
    const note = { note: `Made smaller: the file has ${bytes.length} bytes.` };
    return shownImage({ ...about, ...note }, extraction.image.mime, extraction.image.base64);
  }
  if (extraction.outcome === "text") return shownDocument(file.path, extraction);
  return failed("unreadable", `Could not extract text: ${oneLine(file.path)} is ${skipReasons[extraction.reason]}.`);
}

const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4;
const summaryIn = (summary: string | null) => (summary === null ? {} : { summary });

type ExtractedText = Pick<ExtractionOutcome<"text">, "text" | "tokens" | "redactions">;
type ExtractionOutcome<O extends Extraction["outcome"]> = Extraction & { readonly outcome: O };

function shownDocument(path: string, { text, tokens, redactions }: ExtractedText): ActionResult {
  const isCut = tokens >= maxDocumentTokens * 0.95;
  const notes = [
    ...(isCut ? [`Cut to about ${maxDocumentTokens} tokens: beginning, end and outline are shown.`] : []),
    ...(redactions > 0 ? [`${redactions} credentials are replaced by \u27e6redacted:…\u27e7.`] : []),
  ];
  const about = { path, extracted: true, ...(notes.length > 0 && { notes }) };
  return { text: `${oneLine(about)}\n${text}`, filesRead: [path] };
}

function shownImage(about: { readonly path: string }, mimeType: string, base64: string): ActionResult {
  const isTooLong = base64.length > maxBase64Characters;
  const facts = { ...about, mimeType, ...(isTooLong && { left: "Too large to be shown." }) };
  return { text: isTooLong ? oneLine(facts) : `${oneLine(facts)}\n${base64}`, filesRead: [about.path] };
}
