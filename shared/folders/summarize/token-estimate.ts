import type { IndexedFile } from "../../../events/frames/folders.ts";
import { shownCharacters } from "../../llm/shown-text.ts";

export const maxOutputTokens = 400;

/** System prompt, schema, markers and the answer. */
const overheadTokens = 500 + maxOutputTokens;
/**
 * An image in low detail as gpt-4o-mini bills it: 2,833 tokens (OpenAI, "Images and vision", cost of 4o-mini images).
 * Models that count 85 for it give the rest back when they are settled.
 */
const imageTokens = 2_900;
/** Of an upload only the size is known; dense text (JSON, Chinese) has about two bytes a token. */
const bytesPerToken = 2;

/** What is set aside for a file's summary. What it took is counted when it is there, so this is generous. */
export function estimateTokens({ relPath, kind, content }: Pick<IndexedFile, "relPath" | "kind" | "content">): number {
  const path = textTokens(relPath);
  if (kind === "image") return overheadTokens + path + imageTokens;
  const text =
    "inline" in content
      ? textTokens(content.inline.slice(0, shownCharacters.file))
      : Math.ceil(Math.min(content.upload.bytes, shownCharacters.file) / bytesPerToken);
  return overheadTokens + path + text;
}

/**
 * At least the tokens of a text, as a rule, without the tokenizer's table of 2 MB: a token holds three letters of a word
 * or digits of a number, one sign, a run of white space, one letter of another script; a single space goes with its word.
 */
function textTokens(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(/[A-Za-z]+|\d+|[^\S\r\n]{2,}|[\r\n]+|[^\sA-Za-z\d]/gu)) {
    const first = run.charCodeAt(0);
    if (first > 0x7f) tokens += first >= 0xd800 ? 3 : 1;
    else tokens += /\s/.test(run) ? Math.ceil(run.length / 16) : Math.ceil(run.length / 3);
  }
  return tokens;
}
