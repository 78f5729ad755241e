/** Where a line ends, and where a paragraph does, in the text as it is put together: Unicode's own signs for both. */
export const lineEdge = "\u2028";
export const paragraphEdge = "\u2029";

/**
 * Characters a reader never sees: zero-width, bidi controls, soft hyphens, fillers, variation selectors and tags
 * (Unicode, DerivedCoreProperties, Default_Ignorable_Code_Point).
 */
const invisibleCharacters = /\p{Default_Ignorable_Code_Point}/gu;
const controlCharacters = /(?![\s\u0085])\p{Cc}/gu;

const lineBreak = /(\r\n|[\r\n\u0085\u2028\u2029\f\v])/;

/**
 * A text's lines as they are shown: without what nobody sees, blanks as one, and one blank line between paragraphs. Linear.
 *
 * @param most characters of the result at most
 */
export function linesAsShown(text: string, most: number): string {
  const seen = text.replace(invisibleCharacters, "").replace(controlCharacters, " ").toWellFormed();
  const lines: string[] = [];
  let isLineEmpty = true;
  let isApart = false;
  for (const [at, piece] of seen.split(lineBreak).entries()) {
    if (at % 2 === 1) {
      isApart ||= piece === paragraphEdge || (piece !== lineEdge && isLineEmpty);
      isLineEmpty = true;
      continue;
    }
    const line = piece.replace(/\s+/g, " ").trim();
    // A line with nothing but a blank that must not break is how programs write an empty one.
    if (line === "") isApart ||= piece.includes("\u00a0");
    else {
      if (isApart && lines.length > 0) lines.push("");
      lines.push(line);
      isLineEmpty = false;
      isApart = false;
    }
  }
  return lines.join("\n").slice(0, most).toWellFormed();
}
