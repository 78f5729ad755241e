const [newline, carriageReturn, space, tab] = [0x0a, 0x0d, 0x20, 0x09] as const;

/**
 * The text of a file of tasks or events, without its byte order mark: in UTF-8, or in UTF-16 where its mark says so, as programs of
 * Windows save it. Lines of a calendar may be folded within a character (RFC 5545 §3.1); it is put together.
 *
 * @throws TypeError when it is neither
 */
export function givenText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decoded(bytes, "utf-16le");
  if (first === 0xfe && second === 0xff) return decoded(bytes, "utf-16be");
  return decoded(withWholeCharacters(bytes), "utf-8");
}

const decoded = (bytes: Uint8Array, charset: string): string => new TextDecoder(charset, { fatal: true }).decode(bytes);

/** Bytes without the folds that stand before the later bytes of a character, where no line of UTF-8 can end. */
function withWholeCharacters(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(bytes.length);
  let length = 0;
  for (const [at, byte] of bytes.entries()) {
    const before = bytes[at - 1];
    if (isLaterByte(byte) && (before === space || before === tab) && bytes[at - 2] === newline) {
      length -= bytes[at - 3] === carriageReturn ? 3 : 2;
    }
    whole[length++] = byte;
  }
  return whole.subarray(0, length);
}

/** Of a character of several bytes in UTF-8, but the first. */
const isLaterByte = (byte: number): boolean => byte >= 0x80 && byte <= 0xbf;
