import type { ExcerptParts } from "./excerpt-parts.ts";

const maxColumns = 15;
const maxValues = 8;

/** Columns, rows, and what stands in those columns that hold words. */
export function describeTable({ head, tail, isCut }: ExcerptParts, extension: string): string {
  const lines = linesOf(head);
  const [header = ""] = lines;
  const separator = extension === ".tsv" ? "\t" : header.split(";").length > header.split(",").length ? ";" : ",";
  const columns = cellsOf(header, separator);
  const rows = [...lines.slice(1), ...linesOf(tail).slice(1)].map((line) => cellsOf(line, separator));
  const values = columns.flatMap((_, column) => {
    const cells = rows.map((row) => row[column] ?? "").filter((cell) => /\p{L}{3}/u.test(cell) && cell.length <= 60);
    return [...new Set(cells)].slice(0, Math.ceil(maxValues / 2));
  });
  const count = `${isCut ? "more than " : ""}${rows.length} ${rows.length === 1 && !isCut ? "row" : "rows"}`;
  const more = columns.length > maxColumns ? ", …" : "";
  const examples = [...new Set(values)].slice(0, maxValues);
  const such = examples.length === 0 ? "" : ` Such as ${examples.join(", ")}.`;
  return `Table with columns ${columns.slice(0, maxColumns).join(", ")}${more}; ${count}.${such}`;
}

const linesOf = (text: string) => text.split(/\r?\n/).filter((line) => line.trim() !== "");

/** Cells of one line, quoted ones included (RFC 4180); a cell of several lines ends with its line. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = "";
    } else cell += character;
  }
  return [...cells, cell.trim()];
}
