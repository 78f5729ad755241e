/** Stands for a blank that is to stay one of several while blanks are made one. Of private use: no text says anything by it. */
const keptBlank = "\ue000";
const tabStop = 8;

/** A line with its tabs as blanks, up to the next stop. */
function untabbed(line: string): string {
  const [first = "", ...rest] = line.split("\t");
  let text = first;
  for (const piece of rest) text = text.padEnd((Math.floor(text.length / tabStop) + 1) * tabStop) + piece;
  return text;
}

/** A text whose tables keep their form while blanks are made one ({@link blanksAgain}): several stay several. Linear. */
export const keepBlanks = (text: string): string =>
  text
    .replaceAll(keptBlank, " ")
    .split("\n")
    .map((line) =>
      (line.includes("\t") ? untabbed(line) : line)
        .trimEnd()
        .replaceAll(/[ \u00a0]{2,}/g, (several) => keptBlank.repeat(several.length)),
    )
    .join("\n");

/** The same of a piece of one, in which each blank counts. */
export const keepAllBlanks = (piece: string): string =>
  piece.replaceAll("\t", " ".repeat(tabStop)).replaceAll(/[ \u00a0]/g, keptBlank);

/** The blanks that were kept; none at the end of a line. */
export const blanksAgain = (text: string): string =>
  text.includes(keptBlank)
    ? text
        .replaceAll(keptBlank, " ")
        .split("\n")
        .map((line) => line.trimEnd())
        .join("\n")
    : text;
