import { nameOf } from "../../files/paths/project-path.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { IndexedText } from "../../knowledge/text/indexed-text.ts";
import type { Shape } from "../../knowledge/text/passages.ts";
import { imageTokens, overheadTokens } from "../scanner/estimate-tokens.ts";
import { isPageName } from "../scanner/kinds.ts";
import { maxBytesOf } from "../scanner/limits.ts";
import { readStable } from "../scanner/read-stable.ts";
import type { FileToSummarize } from "../scanner/scan-project.ts";
import type { ExtractedImage, ExtractionFailure } from "./extraction.ts";
import type { Extractor } from "./extractor.ts";

/** A file as it travels to its summary: a text, or a picture made small. */
export type PreparedFile = Omit<FileToSummarize, "estimatedTokens"> & {
  /** Of the summary, instructions and answer included; null where it is sure to fit and nobody has counted. */
  readonly tokens: number | null;
} & (
    | { readonly text: string; readonly isPart?: boolean; readonly indexed?: IndexedText }
    | { readonly image: ExtractedImage }
  );

/** What a file turned out to hold. */
export type Preparation =
  | { readonly outcome: "ready"; readonly file: PreparedFile }
  /** Nothing can be said of this content: see `FolderFileTable.setSkipped`. */
  | { readonly outcome: "skipped"; readonly reason: ExtractionFailure }
  /** It is not what was scanned; the next scan finds it as it is then. */
  | { readonly outcome: "changed" };

export interface PrepareOptions {
  readonly files: ProjectFiles;
  readonly extractor: Extractor;
  readonly signal?: AbortSignal | undefined;
  readonly now: () => number;
  readonly maxContentTokens?: number;
  /** How the text is cut for the index; left out when it is not wanted there. */
  readonly shape?: Shape | undefined;
}

/**
 * Reads a file that wants a summary, and makes of it what may travel: credentials are taken out, text is cut to head,
 * outline and tail, pictures are scaled down and lose their metadata.
 *
 * @throws ProjectFilesError Cancelled; NotFound or StorageFailed when the folder cannot be reached any more
 */
export async function prepareFile(scanned: FileToSummarize, options: PrepareOptions): Promise<Preparation> {
  const { files, extractor, signal, now, shape } = options;
  const { maxContentTokens = extractor.limits.maxContentTokens } = options;
  const { relPath, kind, contentHash } = scanned;
  const read = await readStable(files, relPath, maxBytesOf(kind), now);
  if (!read.ok || read.hash !== contentHash) return { outcome: "changed" };
  const isPage = isPageName(nameOf(relPath));
  const extraction = await extractor.extract(
    { kind, bytes: read.bytes, maxContentTokens, isPage, ...(shape && { shape }) },
    signal,
  );
  if (extraction.outcome === "failed") return { outcome: "skipped", reason: extraction.reason };
  const contentTokens = extraction.outcome === "text" ? extraction.tokens : imageTokens;
  const { estimatedTokens: _, ...known } = scanned;
  const facts = { ...known, tokens: contentTokens === null ? null : contentTokens + overheadTokens };
  if (extraction.outcome === "image") return { outcome: "ready", file: { ...facts, image: extraction.image } };
  const { text, isPart, indexed } = extraction;
  return { outcome: "ready", file: { ...facts, text, ...(isPart && { isPart }), ...(indexed && { indexed }) } };
}

/** A prepared file's content as one string: its text, or a `data:` URL (RFC 2397). */
export function contentOf(file: PreparedFile): string {
  return "text" in file ? file.text : `data:${file.image.mime};base64,${file.image.base64}`;
}
