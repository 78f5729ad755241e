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

/** Tokens of a prompt, by its messages' texts. */
export function promptTokens(texts: readonly string[], imageCount = 0): number {
  return texts.reduce((sum, text) => sum + perMessage + textTokens(text), priming + imageCount * perImage);
}
