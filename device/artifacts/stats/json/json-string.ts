import { hashPrime, hashStart } from "../distinct-counter.ts";
import { type JsonFields, maxSampleBytes } from "./json-fields.ts";
import { backslash, decoded, escapable, nine, quote, special, zero } from "./json-tokens.ts";

/** Reads the strings of a JSON text in pieces of any size, and tells `fields` of each when it ends. */
export class JsonString {
  /** Within a string that a piece cut through. */
  isOpen = false;
  readonly #fields: JsonFields;
  #hash = hashStart;
  #head: Buffer[] = [];
  #headBytes = 0;
  /** 0: plain; 1: behind a backslash; 2–5: so many hex digits less one to come. */
  #escape = 0;

  constructor(fields: JsonFields) {
    this.#fields = fields;
  }

  /** A string begins; {@link read} goes on behind its quote. */
  begin(): void {
    this.isOpen = true;
    this.#hash = hashStart;
    if (this.#headBytes > 0) this.#dropHead();
  }

  /** It is in a line that is left out. */
  abandon(): void {
    this.isOpen = false;
    this.#escape = 0;
  }

  /** Reads on in a string: where it goes on behind it, the end of the piece, or -1 - the place of a fault. */
  read(bytes: Buffer, from: number): number {
    const { length } = bytes;
    let hash = this.#hash;
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
        this.isOpen = false;
        if (this.#fields.string(hash)) {
          this.#keepHead(bytes, from, i);
          this.#fields.sample(decoded(Buffer.concat(this.#head)));
        }
        return i + 1;
      }
      if (byte !== backslash) return -1 - i;
      this.#escape = 1;
      hash = Math.imul(hash ^ byte, hashPrime);
      i++;
    }
    this.#hash = hash;
    this.#keepHead(bytes, from, length);
    return i;
  }

  #dropHead(): void {
    this.#head = [];
    this.#headBytes = 0;
  }

  #keepHead(bytes: Buffer, start: number, end: number): void {
    const room = maxSampleBytes - this.#headBytes;
    if (room <= 0) return;
    const head = Buffer.from(bytes.subarray(start, Math.min(end, start + room)));
    this.#head.push(head);
    this.#headBytes += head.length;
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
}
