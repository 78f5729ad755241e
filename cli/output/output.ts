import { styleText } from "node:util";
import stringWidth from "string-width";
import { padded, printable, printableJson } from "./printable.ts";
import type { CliIo } from "../home/up-options.ts";

type Style = Parameters<typeof styleText>[0];

/** Writes a command's result: text for a person or JSON for a program, never both. */
export interface Output {
  line(text?: string): void;
  json(value: unknown): void;
  style(style: Style, text: string): string;
  readonly columns: number;
}

/** Columns assumed where there is no terminal to ask. */
const defaultColumns = 100;

export function outputOn(io: CliIo): Output {
  return {
    line: (text = "") => void io.stdout.write(`${text}\n`),
    json: (value) => void io.stdout.write(`${printableJson(value)}\n`),
    style: (style, text) => (io.color ? styleText(style, text, { validateStream: false }) : text),
    columns: (io.isTTY ? io.stdout.columns : undefined) ?? defaultColumns,
  };
}

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => string;
  readonly style?: (row: T) => Style;
  /** Takes whatever width the other columns leave. */
  readonly fills?: boolean;
}

const gap = "  ";
const narrowestFill = 20;

/** Prints rows under their titles; one column may fill the line. */
export function table<T>(output: Output, rows: readonly T[], columns: readonly Column<T>[]): void {
  const cells = rows.map((row) => columns.map(({ cell }) => printable(cell(row))));
  const natural = columns.map(({ title }, i) =>
    cells.reduce((widest, row) => Math.max(widest, stringWidth(row[i] ?? "")), title.length),
  );
  const taken = columns.reduce((sum, { fills }, i) => sum + (fills ? 0 : (natural[i] ?? 0)) + gap.length, -gap.length);
  const widths = columns.map(({ fills }, i) => {
    const wanted = natural[i] ?? 0;
    return fills ? Math.min(wanted, Math.max(narrowestFill, output.columns - taken)) : wanted;
  });
  const titles = columns.map(({ title }, i) => padded(title, widths[i] ?? 0));
  output.line(output.style("dim", titles.join(gap).trimEnd()));
  for (const [at, row] of rows.entries()) {
    const line = columns.map(({ style }, i) => {
      const text = padded(cells[at]?.[i] ?? "", widths[i] ?? 0);
      return style === undefined ? text : output.style(style(row), text);
    });
    output.line(line.join(gap).trimEnd());
  }
}

const units = [
  [24 * 3_600_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
] as const;

/** An age in its largest whole unit: `3 d`, `2 h`, `5 min`, `now`. */
export function age(sinceMs: number, nowMs: number): string {
  const elapsedMs = Math.max(0, nowMs - sinceMs);
  const unit = units.find(([unitMs]) => elapsedMs >= unitMs);
  return unit === undefined ? "now" : `${Math.floor(elapsedMs / unit[0])} ${unit[1]}`;
}
