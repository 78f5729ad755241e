import { exactInteger } from "../../exact-json.ts";
import { boolean, type CellType, type ColumnCounter, date, decimal, integer, text } from "./csv-column.ts";

const [zero, nine, dot, minus, plus, slash] = [0x30, 0x39, 0x2e, 0x2d, 0x2b, 0x2f];
const powersOfTen = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Tells the type of cells without making a string of each. It holds the last number. */
export class CellReader {
  number: number | bigint = 0;

  /**
   * What a cell is; a number's value is in `number`.
   *
   * @param column what is known of the column: within its bounds a number need not be exact
   */
  typeOf(bytes: Buffer, from: number, to: number, column: ColumnCounter | undefined): CellType {
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
      if (long !== undefined) this.number = long;
      else this.#setNumber(bytes, start, end, first === minus ? -mantissa : mantissa, digits, column);
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
        this.#setNumber(bytes, start, end, first === minus ? -size : size, digits, column);
        return decimal;
      }
    }
    if (digits > 0 && (bytes[at] === 0x65 || bytes[at] === 0x45) && end - start < 40) {
      const value = Number(bytes.toString("latin1", start, end));
      if (Number.isFinite(value)) {
        this.number = value;
        return decimal;
      }
    }
    return isDate(bytes, start, end) ? date : text;
  }

  /** Up to fifteen digits are exact (and rounded once when divided); more matter only at the ends of what was seen. */
  #setNumber(
    bytes: Buffer,
    start: number,
    end: number,
    value: number,
    digits: number,
    column: ColumnCounter | undefined,
  ): void {
    const slack = Math.abs(value) * 1e-14;
    const isWithin = column !== undefined && value - slack > column.min && value + slack < column.max;
    this.number = digits <= 15 || isWithin ? value : Number(bytes.toString("latin1", start, end));
  }
}

/** Nothing, or a word for it: `NULL`, `null`, `\\N`, spaces. */
export function isNull(bytes: Buffer, start: number, end: number): boolean {
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
