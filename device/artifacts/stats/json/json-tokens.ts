/** The bytes JSON is made of (RFC 8259). */
export const [newline, quote, backslash] = [10, 34, 92];
export const [minus, plus, dot, zero, nine] = [0x2d, 0x2b, 0x2e, 0x30, 0x39];
/** Bytes that end or break a string's plain run: quote, backslash, controls (RFC 8259, section 7). */
export const special = new Uint8Array(256).fill(1, 0, 32);
special[quote] = special[backslash] = 1;
/** What may follow a backslash, but for `u` and its four digits. */
export const escapable: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

/** In place of an end: more bytes are needed to tell it. */
export const unfinished = -1;
/** In place of an end: it is not JSON. */
export const malformed = -2;

/** The closing quote of the key that begins at `start`. */
export function keyEnd(bytes: Buffer, start: number): number {
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
export function decoded(written: Buffer): string {
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
