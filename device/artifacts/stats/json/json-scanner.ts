import { exactInteger } from "../../exact-json.ts";
import { Carry } from "../carry.ts";
import { array, type JsonFields, object } from "./json-fields.ts";
import { JsonNumber } from "./json-number.ts";
import { JsonString } from "./json-string.ts";
import { decoded, keyEnd, minus, newline, nine, quote, unfinished, zero } from "./json-tokens.ts";

const [tab, carriageReturn, space] = [9, 13, 32];
const [openBrace, closeBrace, openBracket, closeBracket, colon, comma] = [0x7b, 0x7d, 0x5b, 0x5d, 0x3a, 0x2c];

/** What may come next. */
const [value, firstItem, firstKey, nextKey, afterKey, afterValue, afterRoot] = [0, 1, 2, 3, 4, 5, 6];
/** Keys and numbers are looked at as a whole; longer ones are refused. */
const maxTokenBytes = 1024 * 1024;

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
  readonly #string: JsonString;
  readonly #number = new JsonNumber();

  constructor(fields: JsonFields, form: JsonForm) {
    this.#fields = fields;
    this.#string = new JsonString(fields);
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
    if (!this.#string.isOpen && !this.#skipsLine) this.write(Buffer.from([newline]));
    if (this.hasStopped || this.#skipsLine) return;
    const isCut = this.#string.isOpen || this.#carry.length > 0 || this.#fields.depth > 0;
    if (!isCut && (this.#state === afterRoot || this.rows > 0 || this.badLines > 0)) return;
    this.error ??= { atByte: endsAt, reason: isCut ? "it ends too early" : "there is no value" };
    if (!this.hasStopped) this.badLines++;
  }

  #resume(): void {
    this.#skipsLine = false;
    this.#string.abandon();
    this.#fields.abandon();
    this.#state = value;
  }

  /** Undefined when the piece has been read; what it cuts through is in `#carry` or in the state of a string. */
  #scan(bytes: Buffer, from: number): { at: number; reason: string } | undefined {
    const fields = this.#fields;
    const string = this.#string;
    const number = this.#number;
    const { length } = bytes;
    let i = from;
    let state = this.#state;
    if (string.isOpen) {
      i = string.read(bytes, i);
      if (i < 0) return { at: -i - 1, reason: "a string is not written as it should be" };
      if (string.isOpen) return undefined;
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
        string.begin();
        i = string.read(bytes, i + 1);
        if (i < 0) return this.#failed(state, -i - 1, "a string is not written as it should be");
        if (string.isOpen) {
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
        const end = number.read(bytes, i);
        if (end === unfinished) {
          if (length - i > maxTokenBytes) return this.#failed(state, i, "a number is too long");
          return this.#cut(bytes, i, state);
        }
        if (end < 0) return this.#failed(state, i, "a number is not written as it should be");
        fields.beginValue();
        const long = number.mayBeLong ? exactInteger(bytes.toString("latin1", i, end)) : undefined;
        if (long !== undefined) fields.longInteger(long);
        else if (fields.number(number.value)) {
          fields.exactNumber(number.isExact ? number.value : Number(bytes.toString("latin1", i, end)));
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
}

const literals = {
  true: { written: Buffer.from("true"), value: true },
  false: { written: Buffer.from("false"), value: false },
  null: { written: Buffer.from("null"), value: null },
} as const;
