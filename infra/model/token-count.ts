import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** Long texts are counted in pieces: merging is not linear in an unbroken run. A cut costs a token at most. */
const pieceCharacters = 4_000;
/** Each message adds its role and separators, and the answer is primed (OpenAI cookbook, "How to count tokens"). */
const perMessage = 3;
const priming = 3;
/** A picture in low detail (OpenAI, "Images and vision"). */
const perImage = 85;

/** Tokens of a text in o200k_base. */
export function textTokens(text: string): number {
  let tokens = 0;
  for (let start = 0; start < text.length; start += pieceCharacters) {
    tokens += countTokens(text.slice(start, start + pieceCharacters), { allowedSpecial: "all" });
  }
  return tokens;
}

/** A model is told the same instructions again and again. */
const mostInstructions = 32;
const counted = new Map<string, number>();

/** Tokens of instructions, counted once. */
function instructionTokens(text: string): number {
  const known = counted.get(text);
  if (known !== undefined) return known;
  const tokens = textTokens(text);
  if (counted.size >= mostInstructions) counted.clear();
  counted.set(text, tokens);
  return tokens;
}

export interface PromptParts {
  /** Texts that come again with other prompts. */
  readonly instructions: readonly string[];
  readonly texts: readonly string[];
  readonly imageCount: number;
}

/** Tokens of a prompt, by its messages' texts. */
export function promptTokens({ instructions, texts, imageCount }: PromptParts): number {
  const counts = [...instructions.map(instructionTokens), ...texts.map(textTokens)];
  return counts.reduce((sum, tokens) => sum + perMessage + tokens, priming + imageCount * perImage);
}
