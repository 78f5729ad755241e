/**
 * Where a text holds a passage: as it stands there, or with other white space, which models change. What is given back is
 * always the text's own.
 */
export function verbatim(text: string, passage: string, most: number): string | undefined {
  const wanted = passage.trim();
  if (wanted === "") return undefined;
  const at = text.indexOf(wanted);
  if (at !== -1) return cut(wanted, most);
  const { plain, places } = withPlainSpaces(text);
  const found = plain.indexOf(wanted.replace(/\s+/gu, " "));
  if (found === -1) return undefined;
  const last = places[found + wanted.replace(/\s+/gu, " ").length - 1] ?? text.length - 1;
  return cut(text.slice(places[found], last + 1), most);
}

/** The text with each run of white space as one space, and where each of its characters stands in the text. */
function withPlainSpaces(text: string): { readonly plain: string; readonly places: readonly number[] } {
  const places: number[] = [];
  let plain = "";
  for (let at = 0; at < text.length; at += 1) {
    const isSpace = /\s/u.test(text[at] ?? "");
    if (isSpace && plain.endsWith(" ")) continue;
    plain += isSpace ? " " : text[at];
    places.push(at);
  }
  return { plain, places };
}

/** The beginning of a long one: still verbatim, never with half a character at its end. */
function cut(text: string, most: number): string {
  const head = text.slice(0, most);
  return head.isWellFormed() ? head : head.slice(0, -1);
}
