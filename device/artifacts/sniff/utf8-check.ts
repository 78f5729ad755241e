import { isUtf8 } from "node:buffer";

/** Counts the bytes that are not valid UTF-8 in text that comes in pieces. */
export class Utf8Check {
  invalidBytes = 0;
  #cut = Buffer.alloc(0);

  write(piece: Buffer): void {
    if (this.#cut.length === 0 && isUtf8(piece)) return;
    const bytes = this.#cut.length === 0 ? piece : Buffer.concat([this.#cut, piece]);
    const end = bytes.length - openSequence(bytes);
    this.#cut = Buffer.from(bytes.subarray(end));
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) this.invalidBytes += countInvalid(whole);
  }

  end(): void {
    this.invalidBytes += this.#cut.length;
  }
}

/** Length of a character at the end that may go on. */
function openSequence(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? back : 0;
    }
  }
  return 0;
}

function countInvalid(bytes: Buffer): number {
  let invalid = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const length = byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (length === 1 || (byte >= 0xc2 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)))) {
      at += length;
    } else {
      invalid++;
      at++;
    }
  }
  return invalid;
}
