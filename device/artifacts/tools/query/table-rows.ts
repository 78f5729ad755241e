import { exactInteger } from "../../exact-json.ts";
import { type CsvDialect, splitRecords } from "../../sniff/csv-dialect.ts";

type Cell = string | number | bigint | boolean | null;

const number = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:[eE][+-]?\d{1,3})?$/;

/** Longer than a double tells for certain; beyond 40 digits it is a name. */
const integer = /^-?[1-9]\d{15,39}$/;

/** Rows of separated values as objects by column; numbers as numbers, empty cells as null. */
export function tableRows(text: string, { delimiter, quote, hasHeader }: CsvDialect): Record<string, Cell>[] {
  const records = splitRecords(text, delimiter, quote, true, Number.POSITIVE_INFINITY);
  const [first = []] = records;
  const names = hasHeader ? uniqueNames(first) : first.map((_, at) => `column ${at + 1}`);
  return records
    .slice(hasHeader ? 1 : 0)
    .map((record) => Object.fromEntries(names.map((name, at) => [name, cellOf(record[at])])));
}

function uniqueNames(header: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return header.map((cell, at) => {
    const name = cell.trim() || `column ${at + 1}`;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} ${times}`;
  });
}

function cellOf(cell: string | undefined): Cell {
  if (cell === undefined || cell === "") return null;
  // Numbers with leading zeros are names: telephone numbers, postal codes.
  const value = number.test(cell) ? Number(cell) : undefined;
  // One beyond all doubles stays as it is written.
  if (value !== undefined) return Number.isFinite(value) ? value : cell;
  return integer.test(cell) ? (exactInteger(cell) ?? Number(cell)) : cell;
}
