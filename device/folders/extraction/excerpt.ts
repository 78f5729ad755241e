import { outlineOf } from "../../access/reading/outline.ts";
import { countTokens, hasMoreTokens } from "../../access/reading/token-count.ts";

/** Shares of the tokens: a file says first what it is, its outline what is in it, its end where it has got to. */
const shares = { head: 0.55, outline: 0.28, tail: 0.17 } as const;
/** The words between the parts, and what cutting between characters may cost. */
const frameTokens = 40;
/** No text has fewer tokens than this for its characters, runs of spaces excepted (o200k: "characters" is one token). */
const maxCharsPerToken = 16;
/** How many characters a token has is looked up in so many of them: English has 4, Japanese 1.5, made-up words 2. */
const sampleChars = 400;
/** Of what the sample promises: the rest may be denser, and another count costs more than these characters are worth. */
const cautiousShare = 0.97;

export interface Excerpt {
  readonly text: string;
  /** Null where they were not counted: the text fits whatever it says, or is made of parts that do. */
  readonly tokens: number | null;
  readonly isCut: boolean;
}

/**
 * What a summary needs of a text, within `maxTokens` of the model's own tokenizer: all of it when it fits, else its head,
 * its outline and its tail, with a word about what lies between.
 */
export async function excerptOf(text: string, maxTokens: number): Promise<Excerpt> {
  // A token is a byte of UTF-8 or more. Loading the tokenizer's table takes a fifth of a second of the processor.
  if (text.length <= maxTokens && Buffer.byteLength(text) <= maxTokens) return { text, tokens: null, isCut: false };
  if (text.length <= maxTokens * maxCharsPerToken && !hasMoreTokens(text, maxTokens)) {
    const tokens = await countTokens(text, maxTokens);
    if (tokens <= maxTokens) return { text, tokens, isCut: false };
  }
  const budget = Math.max(0, maxTokens - frameTokens);
  const head = await fitting(text, Math.floor(budget * shares.head), "head");
  const rest = text.slice(head.length);
  const tail = await fitting(rest, Math.floor(budget * shares.tail), "tail");
  const lines = text.split(/\r?\n/);
  const headLines = head.split("\n").length;
  const between = rest.length - tail.length;
  const entries = outlineOf(lines)
    .filter(({ line }) => line > headLines)
    .map(({ line, text: entry }) => `${line}: ${entry}`);
  const outline = await fitting(entries.join("\n"), Math.floor(budget * shares.outline), "head");
  const parts = [
    head.trimEnd(),
    `[… ${between} characters of ${lines.length} lines left out …]`,
    ...(outline === "" ? [] : [`[outline of the rest]\n${outline.trimEnd()}`]),
    ...(tail === "" ? [] : [`[end of the file]\n${tail.trimStart()}`]),
  ];
  return { text: parts.join("\n"), tokens: null, isCut: true };
}

/** The longest beginning or end of a text that has at most so many tokens, near enough: counting is not free. */
async function fitting(text: string, maxTokens: number, from: "head" | "tail"): Promise<string> {
  const take = (chars: number) =>
    (from === "head" ? text.slice(0, chars) : text.slice(Math.max(0, text.length - chars))).toWellFormed();
  const sample = take(Math.min(sampleChars, text.length));
  const ofSample = Math.max(1, await countTokens(sample));
  if (sample.length >= text.length && ofSample <= maxTokens) return sample;
  let chars = Math.min(text.length, Math.floor((maxTokens / ofSample) * sample.length * cautiousShare));
  for (;;) {
    const piece = take(chars);
    const tokens = await countTokens(piece);
    if (tokens <= maxTokens) return piece;
    chars = Math.floor(chars * Math.min(0.9, maxTokens / tokens));
  }
}
