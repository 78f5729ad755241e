/** How a file of separated values is written. */
export interface CsvDialect {
  readonly delimiter: string;
  readonly quote: string;
  readonly hasHeader: boolean;
}

const delimiters = [",", ";", "\t", "|"] as const;
const quotes = ['"', "'"] as const;
const sniffedRecords = 200;

/**
 * The dialect of a text that may be separated values; undefined when nothing speaks for it. `isDeclared` (by its name or
 * media type) is taken at its word even when there is only one column. `isWhole`: the text is not just a beginning.
 */
export function sniffCsv(text: string, isDeclared: boolean, isWhole: boolean): CsvDialect | undefined {
  let best: { delimiter: string; quote: string; records: string[][]; score: number } | undefined;
  for (const delimiter of delimiters) {
    for (const quote of quotes) {
      if (quote === "'" && !text.includes("'")) continue;
      const records = splitRecords(text, delimiter, quote, isWhole);
      // A quote that opens no cell is a plain character.
      if (quote === "'" && !opensCells(text, delimiter, quote)) continue;
      const score = consistency(records);
      if (score > (best?.score ?? 0)) best = { delimiter, quote, records, score };
    }
  }
  const isTable = best !== undefined && best.score > 1.8 && best.records.length >= 2;
  if (best !== undefined && (isTable || isDeclared)) {
    return { delimiter: best.delimiter, quote: best.quote, hasHeader: looksLikeHeader(best.records) };
  }
  if (!isDeclared) return undefined;
  return { delimiter: ",", quote: '"', hasHeader: looksLikeHeader(splitRecords(text, ",", '"', isWhole)) };
}

/** Number of columns times the share of records that have it; one column speaks for nothing. */
function consistency(records: readonly string[][]): number {
  const widths = new Map<number, number>();
  for (const { length } of records) widths.set(length, (widths.get(length) ?? 0) + 1);
  let best = 0;
  for (const [width, count] of widths) {
    const share = count / records.length;
    if (width > 1 && share > 0.9) best = Math.max(best, Math.min(width, 12) * share ** 4);
  }
  return best;
}

function opensCells(text: string, delimiter: string, quote: string): boolean {
  return text.startsWith(quote) || text.includes(delimiter + quote) || text.includes(`\n${quote}`);
}

/** The first records, cells without their quotes. A last record that may go on is left out unless `isWhole`. */
export function splitRecords(
  text: string,
  delimiter: string,
  quote: string,
  isWhole: boolean,
  maxRecords: number = sniffedRecords,
): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length && records.length < maxRecords) {
    let cell = "";
    if (text[at] === quote) {
      let end = at + 1;
      for (;;) {
        end = text.indexOf(quote, end);
        if (end === -1) return records;
        if (text[end + 1] !== quote) break;
        end += 2;
      }
      cell = text.slice(at + 1, end).replaceAll(quote + quote, quote);
      at = end + 1;
    }
    const start = at;
    while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") at++;
    record.push(cell + text.slice(start, at));
    if (text[at] === delimiter) {
      at++;
      if (at === text.length) record.push("");
      continue;
    }
    if (at >= text.length) break;
    if (text[at] === "\r" && text[at + 1] === "\n") at++;
    at++;
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
  }
  if (isWhole && at >= text.length && record.length > 0) records.push(record);
  return records;
}

const numeric = /^\s*[-+]?(?:\d[\d,.]*|\.\d+)(?:e[-+]?\d+)?%?\s*$/i;
const dated = /^\s*\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/;

/**
 * The first record names the columns when its cells are different, not empty, neither numbers nor dates, and either some
 * column below is of numbers or dates, or no name turns up among its column's values.
 */
function looksLikeHeader(records: readonly string[][]): boolean {
  const [first, ...rest] = records;
  if (first === undefined) return false;
  const names = first.map((name) => name.trim());
  if (names.filter((name) => name === "").length > names.length / 2) return false;
  if (names.some((name) => numeric.test(name) && !/^(?:19|20)\d\d$/.test(name))) return false;
  if (names.some((name) => dated.test(name))) return false;
  const given = names.filter((name) => name !== "");
  // Names may repeat, but a row of equal values is data.
  if (new Set(given).size < given.length * 0.75) return false;
  const isTyped = names.some((_, column) => {
    const values = rest.map((record) => record[column] ?? "").filter((value) => value !== "");
    return values.length > 0 && values.every((value) => numeric.test(value) || dated.test(value));
  });
  if (isTyped) return true;
  return names.every((name, column) => name.length < 120 && !rest.some((record) => record[column]?.trim() === name));
}
