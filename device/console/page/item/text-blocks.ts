/** A part of a letter: a table that is drawn with blanks and strokes, or all that stands between two of them. */
export interface TextBlock {
  readonly isTable: boolean;
  readonly text: string;
}

/** A line in columns: blanks that part two words (two are usual behind a sentence), or strokes that do. */
const inColumns = /[^\s.!?:;…] {2}|\S {3}|[|│┃║].*[|│┃║]|^\s*[-+=─━═┼┬┴├┌└╔╚╠]{5,}/;
const paragraphs = /\n\s*\n/;

/** Whether a paragraph's lines stand below each other on purpose: several of them, and most. */
function isTable(paragraph: string): boolean {
  const lines = paragraph.split("\n");
  const columns = lines.filter((each) => inColumns.test(each.trimEnd())).length;
  return columns > 1 && columns * 2 >= lines.length;
}

/** A letter with its tables apart, which mean something only in letters of one width. */
export function textBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  for (const paragraph of text.split(paragraphs)) {
    const last = blocks.at(-1);
    if (isTable(paragraph)) blocks.push({ isTable: true, text: paragraph });
    else if (last?.isTable === false)
      blocks[blocks.length - 1] = { isTable: false, text: `${last.text}\n\n${paragraph}` };
    else blocks.push({ isTable: false, text: paragraph });
  }
  return blocks;
}
