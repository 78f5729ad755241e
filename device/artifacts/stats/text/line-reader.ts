const newline = 10;
const carriageReturn = 13;

/** Hands out the lines of UTF-8 that comes in pieces, without their endings, each cut to `maxLineBytes`. */
export class LineReader {
  readonly #onLine: (line: Buffer) => void;
  readonly #maxLineBytes: number;
  #open: Buffer[] = [];
  #openBytes = 0;
  #isOpen = false;

  constructor(onLine: (line: Buffer) => void, maxLineBytes = 4_096) {
    this.#onLine = onLine;
    this.#maxLineBytes = maxLineBytes;
  }

  write(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      if (this.#isOpen) {
        this.#keep(bytes.subarray(start, end));
        this.#give(Buffer.concat(this.#open), 0, this.#openBytes);
        this.#open = [];
        this.#openBytes = 0;
        this.#isOpen = false;
      } else this.#give(bytes, start, end);
      start = end + 1;
    }
    if (start === bytes.length) return;
    this.#isOpen = true;
    this.#keep(bytes.subarray(start));
  }

  end(): void {
    if (this.#isOpen) this.#give(Buffer.concat(this.#open), 0, this.#openBytes);
  }

  #keep(bytes: Buffer): void {
    const kept = bytes.subarray(0, this.#maxLineBytes - this.#openBytes);
    if (kept.length === 0) return;
    this.#open.push(Buffer.from(kept));
    this.#openBytes += kept.length;
  }

  #give(bytes: Buffer, start: number, end: number): void {
    const last = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end;
    this.#onLine(bytes.subarray(start, Math.min(last, start + this.#maxLineBytes)));
  }
}
