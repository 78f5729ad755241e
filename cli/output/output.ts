import { styleText } from "node:util";
import type { CliIo } from "../home/up-options.ts";
import { printableJson } from "./printable.ts";

export type Style = Parameters<typeof styleText>[0];

/** Writes a command's result: text for a person or JSON for a program, never both. */
export interface Output {
  line(text?: string): void;
  json(value: unknown): void;
  style(style: Style, text: string): string;
  readonly columns: number;
}

/** Columns assumed where there is no terminal to ask. */
const defaultColumns = 160;

/** What is said to people beside the objects of a program: on standard error. */
export const asideOn = (io: CliIo): Output => outputOn({ ...io, stdout: io.stderr });

/** Writes to the terminal. Where there is none, lines have 160 columns; `style` does nothing without colour. */
export function outputOn(io: CliIo): Output {
  return {
    line: (text = "") => void io.stdout.write(`${text}\n`),
    json: (value) => void io.stdout.write(`${printableJson(value)}\n`),
    style: (style, text) => (io.color ? styleText(style, text, { validateStream: false }) : text),
    columns: (io.isTTY ? io.stdout.columns : undefined) ?? defaultColumns,
  };
}
