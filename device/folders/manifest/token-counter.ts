/** Tokens of a text. */
export type CountTokens = (text: string) => number;

/** Exact counts in o200k_base, the encoding of the default model. The table (2 MB) is loaded at the first call. */
export async function tokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  return (text) => countTokens(text, { allowedSpecial: "all" });
}
