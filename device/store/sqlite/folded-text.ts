import type { DatabaseSync, SQLInputValue } from "node:sqlite";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, whose letters carry no marks
const beyondAscii = /[^\u0000-\u007f]/;

/** A text as it is searched and compared: without case, without accents, in one spelling of what looks the same. */
export const folded = (text: string): string =>
  (beyondAscii.test(text) ? text.normalize("NFKD").replace(/\p{M}+/gu, "") : text).toLowerCase();

/** The name SQL knows {@link holdsWords} by. */
const functionName = "holds_words";

/**
 * Gives a connection `holds_words(words, text, …)`: 1 where every word, folded and one a line, is in one of the texts. SQLite's
 * own LIKE and lower() know the case of ASCII letters only (https://sqlite.org/lang_expr.html#like).
 */
export function addHoldsWords(connection: DatabaseSync): void {
  connection.function(functionName, { deterministic: true, varargs: true }, (words: SQLInputValue, ...texts) =>
    holdsWords(String(words), texts) ? 1 : 0,
  );
}

function holdsWords(words: string, texts: readonly SQLInputValue[]): boolean {
  const all = folded(texts.filter((text) => typeof text === "string").join("\n"));
  return words.split("\n").every((word) => all.includes(word));
}
