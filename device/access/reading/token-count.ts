/** Long texts are counted in pieces: merging is not linear in an unbroken run. A cut costs a token at most. */
const pieceChars = 4_000;

/**
 * Tokens of a text in o200k_base. The table (2 MB) is loaded at the first call.
 *
 * @param enough counting ends where there are more: the answer is then some number above it
 */
export async function countTokens(text: string, enough = Number.POSITIVE_INFINITY): Promise<number> {
  const { countTokens: count } = await import("gpt-tokenizer/encoding/o200k_base");
  let tokens = 0;
  for (let start = 0; start < text.length && tokens <= enough; start += pieceChars) {
    tokens += count(text.slice(start, start + pieceChars), { allowedSpecial: "all" });
  }
  return tokens;
}

const apostrophe = 0x27;
const underscore = 0x5f;

/**
 * Whether a text has more tokens than that for certain, told without the tokenizer: o200k_base parts words before it merges
 * characters, so that each run of letters begins a token, but for what an apostrophe or a special token's `_` joins. False says nothing.
 */
export function hasMoreTokens(text: string, than: number): boolean {
  let words = 0;
  // What no letter stands before, or what is no ASCII, may belong to the word.
  let mayBegin = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isLetter = (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
    if (isLetter && mayBegin && ++words > than) return true;
    mayBegin = !isLetter && unit < 0x80 && unit !== apostrophe && unit !== underscore;
  }
  return false;
}
