/** Longer is no command; messages that are appended come as literals of that size at most. */
const maxCommandBytes = 64 * 1024 * 1024;
const maxLineBytes = 1024 * 1024;

/** What has come in, up to the next that can be used. */
export type Received =
  /** A whole line, its literals within; the end of the line is cut off. */
  | { readonly kind: "line"; readonly bytes: Buffer }
  /** A literal is announced whose client waits to be told to go on (RFC 3501 §7.5). */
  | { readonly kind: "literal" }
  /** Too long to be taken: the connection has to end. */
  | { readonly kind: "tooLong" };

/** Takes bytes as they come and gives lines with their literals (RFC 3501 §2.2.1, non-synchronizing ones by RFC 7888). */
export class CommandReader {
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the line begins that may announce another literal. */
  #lineStart = 0;
  #isAwaited = false;

  push(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
  }

  /** Forgets what came before a connection was encrypted: it may be somebody else's (RFC 3501 §6.2.1). */
  discard(): void {
    this.#bytes = Buffer.alloc(0);
    this.#lineStart = 0;
    this.#isAwaited = false;
  }

  /** `undefined` when more has to come first. */
  next(): Received | undefined {
    for (;;) {
      if (this.#lineStart > maxCommandBytes) return { kind: "tooLong" };
      const end = this.#bytes.indexOf(10, this.#lineStart);
      if (end < 0) return this.#bytes.length - this.#lineStart > maxLineBytes ? { kind: "tooLong" } : undefined;
      const lineEnd = this.#bytes[end - 1] === 13 && end > this.#lineStart ? end - 1 : end;
      const tail = this.#bytes.toString("latin1", Math.max(this.#lineStart, lineEnd - 16), lineEnd);
      const [, length, plus] = /\{(\d{1,10})(\+?)\}$/.exec(tail) ?? [];
      if (length === undefined) {
        const bytes = this.#bytes.subarray(0, lineEnd);
        this.#bytes = this.#bytes.subarray(end + 1);
        this.#lineStart = 0;
        return { kind: "line", bytes };
      }
      if (Number(length) > maxCommandBytes) return { kind: "tooLong" };
      const literalEnd = end + 1 + Number(length);
      if (this.#bytes.length < literalEnd) {
        if (plus === "+" || this.#isAwaited) return undefined;
        this.#isAwaited = true;
        return { kind: "literal" };
      }
      this.#isAwaited = false;
      this.#lineStart = literalEnd;
    }
  }
}
