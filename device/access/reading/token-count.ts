/** Long texts are counted in pieces: merging is not linear in an unbroken run. A cut costs a token at most. */
const pieceChars = 4_000;

/** Tokens of a text in o200k_base. The table (2 MB) is loaded at the first call. */
export async function countTokens(text: string): Promise<number> {
  const { countTokens: count } = await import("gpt-tokenizer/encoding/o200k_base");
  let tokens = 0;
  for (let start = 0; start < text.length; start += pieceChars) {
    tokens += count(text.slice(start, start + pieceChars), { allowedSpecial: "all" });
  }
  return tokens;
}
