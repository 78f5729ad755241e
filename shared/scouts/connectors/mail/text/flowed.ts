/**
 * The paragraphs of `text/plain; format=flowed` (RFC 3676 §4): a line that ends with a space goes on in the next one of
 * the same quote depth, and one space that was stuffed in front of a line goes. A signature's "-- " ends a paragraph.
 *
 * @param delSp whether the space at the end of a line is the break's and not the text's (`DelSp=yes`)
 */
export function unflowed(text: string, delSp: boolean): string {
  const paragraphs: string[] = [];
  let pieces: string[] = [];
  let depthBefore = 0;
  const end = () => {
    if (pieces.length > 0) paragraphs.push(`${depthBefore > 0 ? `${">".repeat(depthBefore)} ` : ""}${pieces.join("")}`);
    pieces = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const marks = /^>*/.exec(line)?.[0].length ?? 0;
    const rest = line.slice(marks).replace(/^ /, "");
    // A quote this deep is nobody's; its marks would only grow the text.
    const depth = Math.min(marks, 50);
    if (depth !== depthBefore || rest === "-- ") end();
    depthBefore = depth;
    const flows = rest.endsWith(" ") && rest !== "-- ";
    pieces.push(flows && delSp ? rest.slice(0, -1) : rest);
    if (!flows) end();
  }
  end();
  return paragraphs.join("\n");
}
