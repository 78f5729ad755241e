import { exactInteger } from "../../exact-json.ts";
import { Carry } from "../carry.ts";
import { hashPrime, hashStart } from "../distinct-counter.ts";
import { array, type JsonFields, maxSampleBytes, object } from "./json-fields.ts";

const [tab, newline, carriageReturn, space, quote, backslash] = [9, 10, 13, 32, 34, 92];
const [openBrace, closeBrace, openBracket, closeBracket, colon, comma] = [0x7b, 0x7d, 0x5b, 0x5d, 0x3a, 0x2c];
const [minus, plus, dot, zero, nine] = [0x2d, 0x2b, 0x2e, 0x30, 0x39];

/** What may come next. */
const [value, firstItem, firstKey, nextKey, afterKey, afterValue, afterRoot] = [0, 1, 2, 3, 4, 5, 6];
/** Keys and numbers are looked at as a whole; longer ones are refused. */
const maxTokenBytes = 1024 * 1024;
/** Bytes that end or break a string's plain run: quote, backslash, controls (RFC 8259, section 7). */
const special = new Uint8Array(256).fill(1, 0, 32);
special[quote] = special[backslash] = 1;
const escapable = new Set(Buffer.from('"\\/bfnrt'));

export interface JsonScanError {
  readonly atByte: number;
  readonly reason: string;
}

/**
 * `one`: a single value. `rows`: JSON Lines (https://jsonlines.org), a value a line; a line that is no JSON is passed over.
 * `either`: what the beginning does not tell apart; a second value on a new line makes it rows.
 */
export type JsonForm = "one" | "rows" | "either";

/**
 * Reads JSON (RFC 8259) in pieces of any size and tells `fields` what is there; nothing is kept but what a piece cut
 * through.
 */
export class JsonScanner {
  rows = 0;
  badLines = 0;
  error: JsonScanError | undefined;
  readonly #fields: JsonFields;
  readonly #form: JsonForm;
  #state = value;
  readonly #carry = new Carry();
  /** Bytes before the piece being read. */
  #offset = 0;
  #sawNewline = false;
  #skipsLine = false;
  #inString = false;
  #stringHash = hashStart;
  #stringHead: Buffer[] = [];
  #stringHeadBytes = 0;
  /** 0: plain; 1: behind a backslash; 2–5: so many hex digits less one to come. */
  #escape = 0;

  constructor(fields: JsonFields, form: JsonForm) {
    this.#fields = fields;
    this.#form = form;
  }

  /** Reading has stopped at the first fault; otherwise only its line was left out. */
  get hasStopped(): boolean {
    return this.error !== undefined && (this.#form === "one" || (this.#form === "either" && this.rows === 0));
  }

  write(piece: Buffer): void {
    if (this.hasStopped) return;
    const bytes = this.#carry.join(piece);
    for (let from = 0; ; ) {
      if (this.#skipsLine) {
        const end = bytes.indexOf(newline, from);
        if (end === -1) break;
        this.#resume();
        from = end + 1;
      }
      const failed = this.#scan(bytes, from);
      if (failed === undefined) break;
      this.error ??= { atByte: this.#offset + failed.at, reason: failed.reason };
      if (this.hasStopped) return;
      this.badLines++;
      this.#skipsLine = true;
      from = failed.at;
    }
    this.#offset += bytes.length - this.#carry.length;
  }

  /** Passes over a line of JSON Lines that is none, and remembers the first of them. */
  leaveOut(lineBytes: number, error: JsonScanError): void {
    this.error ??= { atByte: this.#offset + error.atByte, reason: error.reason };
    this.badLines++;
    this.#offset += lineBytes;
  }

  end(): void {
    if (this.hasStopped) return;
    const endsAt = this.#offset + this.#carry.length;
    // White space ends a number.
    if (!this.#inString && !this.#skipsLine) this.write(Buffer.from([newline]));
    if (this.hasStopped || this.#skipsLine) return;
    const isCut = this.#inString || this.#carry.length > 0 || this.#fields.depth > 0;
    if (!isCut && (this.#state === afterRoot || this.rows > 0 || this.badLines > 0)) return;
    this.error ??= { atByte: endsAt, reason: isCut ? "it ends too early" : "there is no value" };
    if (!this.hasStopped) this.badLines++;
  }

  #resume(): void {
    this.#skipsLine = false;
    this.#inString = false;
    this.#escape = 0;
    this.#fields.abandon();
    this.#state = value;
  }

  /** Undefined when the piece has been read; what it cuts through is in `#carry` or in the state of a string. */
  #scan(bytes: Buffer, from: number): { at: number; reason: string } | undefined {
    const fields = this.#fields;
    const { length } = bytes;
    let i = from;
    let state = this.#state;
    if (this.#inString) {
      i = this.#string(bytes, i);
      if (i < 0) return { at: -i - 1, reason: "a string is not written as it should be" };
      if (this.#inString) return undefined;
      state = fields.depth === 0 ? this.#finishRow() : afterValue;
    }
    while (i < length) {
      const byte = bytes[i] ?? 0;
      if (byte === space || byte === newline || byte === carriageReturn || byte === tab) {
        if (byte === newline) {
          if (this.#form === "rows" && (fields.depth > 0 || state === afterKey)) {
            return this.#failed(state, i, "the line ends within a value");
          }
          this.#sawNewline = true;
        }
        i++;
        continue;
      }
      switch (state) {
        case afterValue:
          if (byte === comma) {
            state = fields.inArray ? value : nextKey;
            i++;
          } else if (byte === (fields.inArray ? closeBracket : closeBrace)) {
            fields.close();
            i++;
            state = fields.depth === 0 ? this.#finishRow() : afterValue;
          } else return this.#failed(state, i, "a comma or a closing bracket is missing");
          continue;
        case afterKey:
          if (byte !== colon) return this.#failed(state, i, "a colon is missing");
          state = value;
          i++;
          continue;
        case firstKey:
        case nextKey: {
          if (byte === closeBrace && state === firstKey) {
            fields.close();
            i++;
            state = fields.depth === 0 ? this.#finishRow() : afterValue;
            continue;
          }
          if (byte !== quote) return this.#failed(state, i, "a key is missing");
          const expected = fields.expectedKey(bytes, i + 1);
          if (expected >= 0) {
            i += expected + 2;
            state = afterKey;
            continue;
          }
          const end = keyEnd(bytes, i + 1);
          if (end === unfinished) {
            if (length - i > maxTokenBytes) return this.#failed(state, i, "a key is too long");
            return this.#cut(bytes, i, state);
          }
          if (end < 0) return this.#failed(state, i, "a key is not written as it should be");
          const written = bytes.subarray(i + 1, end);
          fields.key(written, fields.takesKeys ? decoded(written) : "");
          i = end + 1;
          state = afterKey;
          continue;
        }
        case afterRoot:
          if (this.#form === "one" || !this.#sawNewline)
            return this.#failed(state, i, "there is text behind the value");
          state = value;
          continue;
        default:
      }
      // A value begins.
      if (byte === closeBracket && state === firstItem) {
        fields.close();
        i++;
        state = fields.depth === 0 ? this.#finishRow() : afterValue;
        continue;
      }
      if (byte === quote) {
        fields.beginValue();
        this.#inString = true;
        this.#stringHash = hashStart;
        if (this.#stringHeadBytes > 0) this.#dropHead();
        i = this.#string(bytes, i + 1);
        if (i < 0) return this.#failed(state, -i - 1, "a string is not written as it should be");
        if (this.#inString) {
          this.#state = state;
          return undefined;
        }
      } else if (byte === openBrace || byte === openBracket) {
        fields.beginValue();
        if (!fields.open(byte === openBrace ? object : array)) return this.#failed(state, i, "it is nested too deeply");
        state = byte === openBrace ? firstKey : firstItem;
        i++;
        continue;
      } else if (byte === minus || (byte >= zero && byte <= nine)) {
        const end = this.#numberEnd(bytes, i);
        if (end === unfinished) {
          if (length - i > maxTokenBytes) return this.#failed(state, i, "a number is too long");
          return this.#cut(bytes, i, state);
        }
        if (end < 0) return this.#failed(state, i, "a number is not written as it should be");
        fields.beginValue();
        const long = this.#mayBeLong ? exactInteger(bytes.toString("latin1", i, end)) : undefined;
        if (long !== undefined) fields.longInteger(long);
        else if (fields.number(this.#numberValue)) {
          fields.exactNumber(this.#isExact ? this.#numberValue : Number(bytes.toString("latin1", i, end)));
        }
        i = end;
      } else {
        const literal = byte === 0x74 ? literals.true : byte === 0x66 ? literals.false : literals.null;
        const { written } = literal;
        for (let k = 0; k < written.length && i + k < length; k++) {
          if (bytes[i + k] !== written[k]) return this.#failed(state, i, "a value is missing");
        }
        if (i + written.length > length) return this.#cut(bytes, i, state);
        fields.beginValue();
        fields.literal(literal.value);
        i += written.length;
      }
      state = fields.depth === 0 ? this.#finishRow() : afterValue;
    }
    this.#state = state;
    return undefined;
  }

  #failed(state: number, at: number, reason: string): { at: number; reason: string } {
    this.#state = state;
    return { at, reason };
  }

  #cut(bytes: Buffer, at: number, state: number): undefined {
    this.#carry.keep(bytes, at);
    this.#state = state;
    return undefined;
  }

  #finishRow(): number {
    this.rows++;
    this.#sawNewline = false;
    return afterRoot;
  }

  /** Reads on in a string: where it goes on behind it, the end of the piece, or -1 - the place of a fault. */
  #string(bytes: Buffer, from: number): number {
    const { length } = bytes;
    let hash = this.#stringHash;
    let i = from;
    for (;;) {
      if (this.#escape !== 0) {
        if (i >= length) break;
        const byte = bytes[i] ?? 0;
        if (!this.#takeEscaped(byte)) return -1 - i;
        hash = Math.imul(hash ^ byte, hashPrime);
        i++;
        continue;
      }
      while (i < length) {
        const byte = bytes[i] ?? 0;
        if (special[byte] === 1) break;
        hash = Math.imul(hash ^ byte, hashPrime);
        i++;
      }
      if (i >= length) break;
      const byte = bytes[i] ?? 0;
      if (byte === quote) {
        this.#inString = false;
        if (this.#fields.string(hash)) {
          this.#keepHead(bytes, from, i);
          this.#fields.sample(decoded(Buffer.concat(this.#stringHead)));
        }
        return i + 1;
      }
      if (byte !== backslash) return -1 - i;
      this.#escape = 1;
      hash = Math.imul(hash ^ byte, hashPrime);
      i++;
    }
    this.#stringHash = hash;
    this.#keepHead(bytes, from, length);
    return i;
  }

  #dropHead(): void {
    this.#stringHead = [];
    this.#stringHeadBytes = 0;
  }

  #keepHead(bytes: Buffer, start: number, end: number): void {
    const room = maxSampleBytes - this.#stringHeadBytes;
    if (room <= 0) return;
    const head = Buffer.from(bytes.subarray(start, Math.min(end, start + room)));
    this.#stringHead.push(head);
    this.#stringHeadBytes += head.length;
  }

  #takeEscaped(byte: number): boolean {
    if (this.#escape === 1) {
      if (byte === 0x75) this.#escape = 5;
      else if (escapable.has(byte)) this.#escape = 0;
      else return false;
      return true;
    }
    const isHex = (byte >= zero && byte <= nine) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
    if (!isHex) return false;
    this.#escape = this.#escape === 2 ? 0 : this.#escape - 1;
    return true;
  }

  #numberValue = 0;
  #isExact = true;
  /** An integer of more digits than a double is certain of. */
  #mayBeLong = false;

  /** Behind the number at `start`; its value is in `#numberValue`. */
  #numberEnd(bytes: Buffer, start: number): number {
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
    this.#mayBeLong = isPlain && fraction === 0 && digits > 15;
    if (isPlain && fraction <= 22) {
      const size = fraction === 0 ? mantissa : mantissa / (powersOfTen[fraction] ?? 1);
      this.#numberValue = isNegative ? -size : size;
      // Both numbers are exact below 2^53 and 10^22, so their quotient is rounded once (Clinger 1990).
      this.#isExact = digits <= 15;
    } else {
      this.#numberValue = Number(bytes.toString("latin1", start, i));
      this.#isExact = true;
    }
    return i;
  }
}

const powersOfTen = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const unfinished = -1;
const malformed = -2;
const literals = {
  true: { written: Buffer.from("true"), value: true },
  false: { written: Buffer.from("false"), value: false },
  null: { written: Buffer.from("null"), value: null },
} as const;

/** The closing quote of the key that begins at `start`. */
function keyEnd(bytes: Buffer, start: number): number {
  const { length } = bytes;
  for (let i = start; i < length; i++) {
    const byte = bytes[i] ?? 0;
    if (special[byte] === 0) continue;
    if (byte === quote) return i;
    if (byte !== backslash) return malformed;
    const escaped = bytes[++i];
    if (escaped === undefined) return unfinished;
    if (escaped !== 0x75) {
      if (!escapable.has(escaped)) return malformed;
      continue;
    }
    if (i + 4 >= length) return unfinished;
    if (!/^[0-9a-fA-F]{4}$/.test(bytes.toString("latin1", i + 1, i + 5))) return malformed;
    i += 4;
  }
  return unfinished;
}

/** The text of a string, from what stands between its quotes; what was cut through at its end is left out. */
function decoded(written: Buffer): string {
  const text = written.toString("utf8").replace(/\ufffd$/, "");
  if (!text.includes("\\")) return text;
  for (const whole of [text, text.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, "")]) {
    try {
      return String(JSON.parse(`"${whole}"`));
    } catch {
      // The next one is without the escape that was cut through.
    }
  }
  return text;
}
