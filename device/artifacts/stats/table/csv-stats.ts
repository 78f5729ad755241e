import { exactInteger } from "../../exact-json.ts";
import type { CsvDialect } from "../../sniff/csv-dialect.ts";
import { Carry } from "../carry.ts";
import { hashPrime, hashStart } from "../distinct-counter.ts";
import type { CsvStats } from "../stats.ts";
import { boolean, type CellType, ColumnCounter, date, decimal, integer, text } from "./csv-column.ts";

const [newline, carriageReturn, zero, nine, dot, minus, plus, slash] = [10, 13, 0x30, 0x39, 0x2e, 0x2d, 0x2b, 0x2f];
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
  #number: number | bigint = 0;

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
      } else if (end > start) this.#cell(bytes, start, end, this.#typeOf(bytes, start, end), hash);
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
        if (this.#number < column.min) column.min = this.#number;
        if (this.#number > column.max) column.max = this.#number;
      }
      if (column.count(type, hash)) column.sample(this.#decoded(bytes, start, Math.min(end, start + maxSampleBytes)));
    }
  }

  #decoded(bytes: Buffer, start: number, end: number): string {
    const { quote } = this.#dialect;
    return bytes.toString("utf8", start, end).replaceAll(quote + quote, quote);
  }

  /** What a cell is; a number's value is in `#number`. */
  #typeOf(bytes: Buffer, from: number, to: number): CellType {
    let [start, end] = [from, to];
    while (start < end && bytes[start] === 0x20) start++;
    while (end > start && bytes[end - 1] === 0x20) end--;
    const first = bytes[start] ?? 0;
    if (first > nine || first < plus) return isBoolean(bytes, start, end) ? boolean : text;
    let at = start;
    if (first === minus || first === plus) at++;
    let mantissa = 0;
    const whole = at;
    for (let byte = bytes[at] ?? 0; at < end && byte >= zero && byte <= nine; byte = bytes[++at] ?? 0) {
      mantissa = mantissa * 10 + (byte - zero);
    }
    let digits = at - whole;
    if (at === end && digits > 0) {
      const long =
        digits > 15 ? exactInteger(bytes.toString("latin1", first === plus ? start + 1 : start, end)) : undefined;
      if (long !== undefined) this.#number = long;
      else this.#setNumber(bytes, start, end, first === minus ? -mantissa : mantissa, digits);
      return integer;
    }
    let fraction = 0;
    if (bytes[at] === dot) {
      const behindDot = ++at;
      for (let byte = bytes[at] ?? 0; at < end && byte >= zero && byte <= nine; byte = bytes[++at] ?? 0) {
        mantissa = mantissa * 10 + (byte - zero);
      }
      fraction = at - behindDot;
      digits += fraction;
      if (at === end && digits > 0 && fraction <= 22) {
        const size = mantissa / (powersOfTen[fraction] ?? 1);
        this.#setNumber(bytes, start, end, first === minus ? -size : size, digits);
        return decimal;
      }
    }
    if (digits > 0 && (bytes[at] === 0x65 || bytes[at] === 0x45) && end - start < 40) {
      const value = Number(bytes.toString("latin1", start, end));
      if (Number.isFinite(value)) {
        this.#number = value;
        return decimal;
      }
    }
    return isDate(bytes, start, end) ? date : text;
  }

  /** Up to fifteen digits are exact (and rounded once when divided); more matter only at the ends of what was seen. */
  #setNumber(bytes: Buffer, start: number, end: number, value: number, digits: number): void {
    const column = this.#columns[this.#column];
    const slack = Math.abs(value) * 1e-14;
    const isWithin = column !== undefined && value - slack > column.min && value + slack < column.max;
    this.#number = digits <= 15 || isWithin ? value : Number(bytes.toString("latin1", start, end));
  }
}

const noBytes = Buffer.alloc(0);
const unfinished = -2;
const powersOfTen = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

function isNull(bytes: Buffer, start: number, end: number): boolean {
  if (bytes[start] === 0x20 && bytes.subarray(start, end).every((byte) => byte === 0x20)) return true;
  if (end - start === 2) return bytes[start] === 0x5c && bytes[start + 1] === 0x4e;
  if (end - start !== 4) return false;
  const first = bytes[start];
  if (first !== 0x4e && first !== 0x6e) return false;
  const word = bytes.toString("latin1", start, end);
  return word === "NULL" || word === "null";
}

function isBoolean(bytes: Buffer, start: number, end: number): boolean {
  const length = end - start;
  if (length !== 4 && length !== 5) return false;
  const first = (bytes[start] ?? 0) | 0x20;
  if (first !== 0x74 && first !== 0x66) return false;
  return /^(?:true|false)$/i.test(bytes.toString("latin1", start, end));
}

/** Dates as in `2024-05-01`, `1/5/2024`, `01.05.24`, with or without a time behind them. */
function isDate(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < 6 || end - start > 40) return false;
  const first = digitsAt(bytes, start, end);
  const separator = bytes[start + first];
  if (separator !== minus && separator !== slash && separator !== dot) return false;
  const middle = start + first + 1;
  const second = digitsAt(bytes, middle, end);
  const last = middle + second + 1;
  if (second < 1 || second > 2 || bytes[last - 1] !== separator) return false;
  const third = digitsAt(bytes, last, end);
  const isOrdered =
    first === 4 ? third === 1 || third === 2 : (first === 1 || first === 2) && (third === 2 || third === 4);
  if (!isOrdered) return false;
  const behind = last + third;
  const next = bytes[behind];
  return behind === end || ((next === 0x54 || next === 0x20) && digitsAt(bytes, behind + 1, end) > 0);
}

function digitsAt(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] ?? 0) >= zero && (bytes[at] ?? 0) <= nine) at++;
  return at - start;
}
