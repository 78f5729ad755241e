import stringWidth from "string-width";
import type { Output, Style } from "./output.ts";
import { padded, printable, shortened, truncated } from "./printable.ts";

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => string;
  readonly style?: (row: T) => Style;
  /** Gives up width first, down to {@link narrowestFill}. */
  readonly fills?: boolean;
  /** Terminal columns it may be cut down to when the others leave no more; never, when absent. */
  readonly least?: number;
  /** Cut in its middle, so that both ends are seen: for paths. */
  readonly cutMiddle?: boolean;
}

const gap = "  ";
const narrowestFill = 20;

/**
 * Prints rows under their titles. Where the terminal is too narrow, columns that may give up width do; where even that is
 * not enough, each row becomes a card: a line for each of its values.
 */
export function table<T>(output: Output, rows: readonly T[], columns: readonly Column<T>[]): void {
  const cells = rows.map((row) => columns.map(({ cell }) => printable(cell(row))));
  const natural = columns.map(({ title }, at) =>
    cells.reduce((widest, row) => Math.max(widest, stringWidth(row[at] ?? "")), title.length),
  );
  const widths = widthsWithin(output.columns - gap.length * (columns.length - 1), natural, columns);
  if (widths === undefined) {
    cards(output, rows, cells, columns);
    return;
  }
  const titles = columns.map(({ title }, at) => padded(title, widths[at] ?? 0));
  output.line(output.style("dim", titles.join(gap).trimEnd()));
  for (const [at, row] of rows.entries()) {
    const line = columns.map(({ style, cutMiddle }, i) => {
      const width = widths[i] ?? 0;
      const text = cells[at]?.[i] ?? "";
      const fitted = padded(cutMiddle ? shortened(text, width) : text, width);
      return style === undefined ? fitted : output.style(style(row), fitted);
    });
    output.line(line.join(gap).trimEnd());
  }
}

/** A table, or a sentence where there is no row of it. */
export function tableOr<T>(output: Output, sentence: string, rows: readonly T[], columns: readonly Column<T>[]): void {
  if (rows.length === 0) output.line(sentence);
  else table(output, rows, columns);
}

const leastOf = <T>({ fills, least }: Column<T>, natural: number): number =>
  Math.min(natural, least ?? (fills ? narrowestFill : natural));

/** How wide each column may be: columns that fill give up width before the others. Undefined when it cannot be done. */
function widthsWithin<T>(
  room: number,
  natural: readonly number[],
  columns: readonly Column<T>[],
): readonly number[] | undefined {
  const widths = [...natural];
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  for (const fills of [true, false]) {
    const shrinkable = columns.flatMap((column, at) => {
      const spare = (widths[at] ?? 0) - leastOf(column, natural[at] ?? 0);
      return (column.fills ?? false) === fills && spare > 0 ? [{ at, spare }] : [];
    });
    let spareLeft = shrinkable.reduce((sum, { spare }) => sum + spare, 0);
    for (const { at, spare } of shrinkable) {
      if (over <= 0) break;
      const share = Math.min(spare, Math.ceil((over * spare) / spareLeft));
      widths[at] = (widths[at] ?? 0) - share;
      over -= share;
      spareLeft -= spare;
    }
  }
  return over > 0 ? undefined : widths;
}

function cards<T>(
  output: Output,
  rows: readonly T[],
  cells: readonly (readonly string[])[],
  columns: readonly Column<T>[],
): void {
  const width = Math.max(...columns.map(({ title }) => title.length));
  for (const [at, row] of rows.entries()) {
    if (at > 0) output.line();
    for (const [i, { title, style, cutMiddle, fills, least }] of columns.entries()) {
      const text = cells[at]?.[i] ?? "";
      if (text === "") continue;
      // What gives up no width is an id or the like: cut it would be of no use, so it goes on in the terminal's next line.
      const isCut = fills === true || least !== undefined;
      const room = isCut ? Math.max(narrowestFill, output.columns - width - gap.length) : Number.POSITIVE_INFINITY;
      const fitted = cutMiddle ? shortened(text, room) : truncated(text, room);
      const shown = style === undefined ? fitted : output.style(style(row), fitted);
      output.line(`${output.style("dim", title.padEnd(width))}${gap}${shown}`);
    }
  }
}
