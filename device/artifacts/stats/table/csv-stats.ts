import type { CsvDialect } from "../../sniff/csv-dialect.ts";
import { Carry } from "../carry.ts";
import { hashPrime, hashStart } from "../distinct-counter.ts";
import type { CsvStats } from "../stats.ts";
import { CellReader, isNull } from "./csv-cell.ts";
import { type CellType, ColumnCounter, decimal, text } from "./csv-column.ts";

const [newline, carriageReturn] = [10, 13];
const maxColumns = 2_000;
const maxListedColumns = 200;
/** A quoted cell longer than this was never closed; an unquoted one is no longer looked at as a whole. */
const maxCellBytes = 1024 * 1024;
const maxSampleBytes = 256;

/**
 * Statistics of separated values (RFC 4180, and what people make of it) in one pass. Write UTF-8 in pieces of any size,
 * then `end`. A piece is read cell by cell; only a cell that is cut through is kept for the next piece.
 */
export class CsvStatsEngine {
  readonly #dialect: CsvDialect;
  readonly #delimiter: number;
  readonly #quote: number;
  readonly #columns: ColumnCounter[] = [];
  readonly #names: string[] = [];
  readonly #stops = new Uint8Array(256);
  readonly #carry = new Carry();
  #column = 0;
  #width = 0;
  #widest = 0;
  #records = 0;
  #raggedRows = 0;
  #blankLines = 0;
  #brokenQuotes = 0;
  #isLineOpen = false;
  /** Within an unquoted cell that is too long to keep. */
  #isSkippingCell = false;
  #isEnding = false;
  /** A line feed follows the carriage return that ended the last line. */
  #skipsNewline = false;
  /** Stands for the content of cells nobody looked at. */
  #longCells = 0;
  readonly #cells = new CellReader();

  constructor(dialect: CsvDialect) {
    this.#dialect = dialect;
    this.#delimiter = dialect.delimiter.charCodeAt(0);
    this.#quote = dialect.quote.charCodeAt(0);
    this.#stops[this.#delimiter] = this.#stops[newline] = this.#stops[carriageReturn] = 1;
  }

  write(piece: Buffer): void {
    const bytes = this.#carry.join(piece);
    const rest = this.#scan(bytes);
    if (rest < bytes.length) this.#carry.keep(bytes, rest);
  }

  end(): CsvStats {
    this.#isEnding = true;
    this.write(Buffer.alloc(0));
    if (this.#isSkippingCell) this.#cell(noBytes, 0, 0, text, this.#longCells++);
    else if (this.#isLineOpen) this.#empty();
    if (this.#isLineOpen || this.#isSkippingCell) this.#endRecord();
    const { hasHeader, delimiter, quote } = this.#dialect;
    const rows = Math.max(0, this.#records - (hasHeader ? 1 : 0));
    const listed = this.#columns.slice(0, maxListedColumns);
    return {
      kind: "csv",
      delimiter,
      quote,
      hasHeader,
      rows,
      columnCount: this.#width,
      columns: listed.map((column, at) => column.describe(this.#names[at] ?? `column ${at + 1}`, rows)),
      columnsLeftOut: Math.max(0, this.#widest - listed.length),
      raggedRows: this.#raggedRows,
      blankLines: this.#blankLines,
      brokenQuotes: this.#brokenQuotes,
    };
  }

  /** Where reading has to go on when more is there. */
  #scan(bytes: Buffer): number {
    const { length } = bytes;
    const stops = this.#stops;
    let at = 0;
    while (at < length) {
      if (this.#skipsNewline) {
        this.#skipsNewline = false;
        if (bytes[at] === newline) {
          at++;
          continue;
        }
      }
      let start = at;
      let end = -1;
      if (this.#isSkippingCell) end = start;
      else if (bytes[at] === this.#quote) {
        end = this.#closingQuote(bytes, at + 1);
        if (end === unfinished) {
          if (!this.#isEnding && length - at <= maxCellBytes) return at;
          this.#brokenQuotes++;
          end = -1;
        } else {
          start = at + 1;
          at = end + 1;
        }
      }
      let hash = hashStart;
      if (end !== -1 && !this.#isSkippingCell) {
        for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), hashPrime);
      }
      const behindQuote = at;
      while (at < length) {
        const byte = bytes[at] ?? 0;
        if (stops[byte] === 1) break;
        hash = Math.imul(hash ^ byte, hashPrime);
        at++;
      }
      if (at === length && !this.#isEnding) {
        if (this.#isSkippingCell) return length;
        const cellStart = end === -1 ? start : start - 1;
        if (length - cellStart <= maxCellBytes) return cellStart;
        this.#isSkippingCell = true;
        return length;
      }
      // Text behind a closing quote belongs to the cell, quote and all.
      if (end === -1) end = at;
      else if (at > behindQuote && !this.#isSkippingCell) {
        start--;
        end = at;
      }
      const stop = at < length ? bytes[at] : newline;
      at++;
      if (this.#isSkippingCell) {
        this.#isSkippingCell = false;
        this.#cell(noBytes, 0, 0, text, this.#longCells++);
      } else if (end > start)
        this.#cell(bytes, start, end, this.#cells.typeOf(bytes, start, end, this.#columns[this.#column]), hash);
      else if (this.#column === 0 && stop !== this.#delimiter && end === behindQuote) {
        this.#blankLines++;
        this.#skipsNewline = stop === carriageReturn;
        continue;
      } else this.#empty();
      this.#isLineOpen = stop === this.#delimiter;
      if (this.#isLineOpen) continue;
      this.#endRecord();
      this.#skipsNewline = stop === carriageReturn;
    }
    return length;
  }

  #closingQuote(bytes: Buffer, from: number): number {
    for (let at = from; ; at += 2) {
      at = bytes.indexOf(this.#quote, at);
      if (at === -1) return unfinished;
      if (at + 1 >= bytes.length) return this.#isEnding ? at : unfinished;
      if (bytes[at + 1] !== this.#quote) return at;
    }
  }

  #endRecord(): void {
    if (this.#records === 0) this.#width = this.#column;
    else if (this.#column !== this.#width) this.#raggedRows++;
    this.#widest = Math.max(this.#widest, this.#column);
    this.#records++;
    this.#column = 0;
    this.#isLineOpen = false;
  }

  get #isHeader(): boolean {
    return this.#records === 0 && this.#dialect.hasHeader;
  }

  #nextColumn(): ColumnCounter | undefined {
    const at = this.#column++;
    const column = this.#columns[at];
    if (column !== undefined || at >= maxColumns) return column;
    const fresh = new ColumnCounter();
    this.#columns.push(fresh);
    return fresh;
  }

  #empty(): void {
    const column = this.#nextColumn();
    if (this.#isHeader) this.#names.push("");
    else if (column !== undefined) column.nulls++;
  }

  #cell(bytes: Buffer, start: number, end: number, type: CellType, hash: number): void {
    const column = this.#nextColumn();
    if (this.#isHeader) this.#names.push(this.#decoded(bytes, start, end).trim());
    else if (column === undefined) return;
    else if (type === text && isNull(bytes, start, end)) column.nulls++;
    else {
      if (type <= decimal) {
        const { number } = this.#cells;
        if (number < column.min) column.min = number;
        if (number > column.max) column.max = number;
      }
      if (column.count(type, hash)) column.sample(this.#decoded(bytes, start, Math.min(end, start + maxSampleBytes)));
    }
  }

  #decoded(bytes: Buffer, start: number, end: number): string {
    const { quote } = this.#dialect;
    return bytes.toString("utf8", start, end).replaceAll(quote + quote, quote);
  }
}

const noBytes = Buffer.alloc(0);
const unfinished = -2;
