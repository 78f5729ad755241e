/** 0: part of a word; 1: white space; 2: not ASCII. As Python's str.split and Unicode's White_Space have it. */
const classes = new Uint8Array(256).fill(2, 128);
for (const byte of [9, 10, 11, 12, 13, 28, 29, 30, 31, 32]) classes[byte] = 1;
const newline = 10;

/** Counts lines, words and characters of UTF-8 in pieces of any size. */
export class TextCounter {
  words = 0;
  longestLineBytes = 0;
  #newlines = 0;
  #bytes = 0;
  #continuations = 0;
  #inWord = false;
  /** Length of the line so far. */
  #lineBytes = 0;
  #codePoint = 0;
  #missing = 0;

  get lines(): number {
    return this.#newlines + (this.#lineBytes > 0 ? 1 : 0);
  }

  /** Unicode code points; each invalid byte counts as one. */
  get characters(): number {
    return this.#bytes - this.#continuations;
  }

  write(bytes: Uint8Array): void {
    const { length } = bytes;
    this.#bytes += length;
    let { words } = this;
    let inWord = this.#inWord;
    let lineStart = -this.#lineBytes;
    for (let i = 0; i < length; i++) {
      const byte = bytes[i] ?? 0;
      const kind = classes[byte];
      if (kind === 0) {
        if (!inWord) {
          inWord = true;
          words++;
        }
      } else if (kind === 1) {
        inWord = false;
        if (byte === newline) {
          this.#newlines++;
          if (i - lineStart > this.longestLineBytes) this.longestLineBytes = i - lineStart;
          lineStart = i + 1;
        }
      } else {
        const isSpace = this.#takeNonAscii(byte);
        if (isSpace) inWord = false;
        else if (this.#missing === 0 && !inWord) {
          inWord = true;
          words++;
        }
      }
    }
    this.words = words;
    this.#inWord = inWord;
    this.#lineBytes = length - lineStart;
    if (this.#lineBytes > this.longestLineBytes) this.longestLineBytes = this.#lineBytes;
  }

  /** True when the byte completes a character that is white space. */
  #takeNonAscii(byte: number): boolean {
    if (byte < 0xc0) {
      if (this.#missing === 0) return false;
      this.#continuations++;
      this.#codePoint = (this.#codePoint << 6) | (byte & 0x3f);
      return --this.#missing === 0 && isWhiteSpace(this.#codePoint);
    }
    this.#missing = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    this.#codePoint = byte & (0x3f >> this.#missing);
    return false;
  }
}

function isWhiteSpace(codePoint: number): boolean {
  if (codePoint >= 0x2000 && codePoint <= 0x200a) return true;
  switch (codePoint) {
    case 0x85:
    case 0xa0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202f:
    case 0x205f:
    case 0x3000:
      return true;
    default:
      return false;
  }
}
