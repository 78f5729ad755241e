import { dot, malformed, minus, nine, plus, unfinished, zero } from "./json-tokens.ts";

const powersOfTen = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Reads the numbers of a JSON text without making a string of each. It holds the last one. */
export class JsonNumber {
  value = 0;
  /** Whether `value` is what the standard's rounding gives; otherwise it is close to it. */
  isExact = true;
  /** An integer of more digits than a double is certain of. */
  mayBeLong = false;

  /** @returns the place behind the number at `start`, {@link unfinished} or {@link malformed} */
  read(bytes: Buffer, start: number): number {
    const { length } = bytes;
    let i = start;
    let mantissa = 0;
    let digits = 0;
    let fraction = 0;
    const isNegative = bytes[i] === minus;
    if (isNegative) i++;
    if (i >= length) return unfinished;
    if (bytes[i] === zero) i++;
    else {
      const first = i;
      for (let byte = bytes[i] ?? 0; byte >= zero && byte <= nine; byte = bytes[i] ?? 0) {
        mantissa = mantissa * 10 + (byte - zero);
        i++;
      }
      digits = i - first;
      if (digits === 0) return malformed;
    }
    let isPlain = true;
    if (bytes[i] === dot) {
      const first = ++i;
      for (let byte = bytes[i] ?? 0; byte >= zero && byte <= nine; byte = bytes[i] ?? 0) {
        mantissa = mantissa * 10 + (byte - zero);
        i++;
      }
      fraction = i - first;
      digits += fraction;
      if (fraction === 0) return i >= length ? unfinished : malformed;
    }
    if (bytes[i] === 0x65 || bytes[i] === 0x45) {
      isPlain = false;
      i++;
      if (bytes[i] === plus || bytes[i] === minus) i++;
      const first = i;
      for (let byte = bytes[i] ?? 0; byte >= zero && byte <= nine; byte = bytes[i] ?? 0) i++;
      if (i === first) return i >= length ? unfinished : malformed;
    }
    if (i >= length) return unfinished;
    this.mayBeLong = isPlain && fraction === 0 && digits > 15;
    if (isPlain && fraction <= 22) {
      const size = fraction === 0 ? mantissa : mantissa / (powersOfTen[fraction] ?? 1);
      this.value = isNegative ? -size : size;
      // Both numbers are exact below 2^53 and 10^22, so their quotient is rounded once (Clinger 1990).
      this.isExact = digits <= 15;
    } else {
      this.value = Number(bytes.toString("latin1", start, i));
      this.isExact = true;
    }
    return i;
  }
}
