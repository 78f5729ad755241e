import type { IndexedKind } from "../../../events/frames/folders.ts";
import { extractionLimits } from "./limits.ts";

/** Instructions, delimiters and the answer of one summary. */
export const overheadTokens = 400;
/** One "low detail" picture on gpt-4o-mini, the default model (OpenAI's vision guide: 2,833 base tokens). */
export const imageTokens = 2_833;
/** UTF-8 text of any kind; Markdown and code have more than four, Chinese has less than two characters of three bytes. */
const bytesPerToken = 3.5;

/**
 * What a summary will cost at most, known before the file is opened: for the question whether a month's tokens are enough.
 * Of documents the text is usually a small part of the file, which nobody can tell from outside.
 */
export function estimateTokens(kind: IndexedKind, sizeBytes: number, maxContentTokens?: number): number {
  if (kind === "image") return imageTokens + overheadTokens;
  const cap = maxContentTokens ?? extractionLimits.maxContentTokens;
  return Math.min(cap, Math.ceil(sizeBytes / bytesPerToken)) + overheadTokens;
}
