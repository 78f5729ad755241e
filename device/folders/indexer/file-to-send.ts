import type { FileToSummarize } from "../scanner/scan-project.ts";

/** A file as it is told about. */
export interface FileToSend extends Omit<FileToSummarize, "estimatedTokens"> {
  /** What travels of it: text; of an image a `data:` URL (RFC 2397). */
  readonly content: string;
}
