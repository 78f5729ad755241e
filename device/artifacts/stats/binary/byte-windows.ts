/** A reader that asks for bytes further on and gets them; fewer when the file ends before. */
export type ForwardReader<T> = Generator<{ offset: number; length: number }, T, Buffer>;

/** Drives a {@link ForwardReader} with a file that comes in pieces; only what it asks for is kept. */
export class ForwardReading<T> {
  readonly #reader: ForwardReader<T>;
  #wanted: { offset: number; length: number } | undefined;
  #parts: Buffer[] = [];
  #have = 0;
  #result: T | undefined;
  #offset = 0;

  constructor(reader: ForwardReader<T>) {
    this.#reader = reader;
    this.#take(reader.next());
  }

  write(piece: Buffer): void {
    const end = this.#offset + piece.length;
    while (this.#wanted !== undefined) {
      const from = this.#wanted.offset + this.#have;
      if (from >= end) break;
      const part = piece.subarray(
        Math.max(0, from - this.#offset),
        this.#wanted.offset + this.#wanted.length - this.#offset,
      );
      this.#parts.push(Buffer.from(part));
      this.#have += part.length;
      if (this.#have < this.#wanted.length) break;
      this.#answer();
    }
    this.#offset = end;
  }

  end(): T | undefined {
    while (this.#wanted !== undefined) this.#answer();
    return this.#result;
  }

  #answer(): void {
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#have = 0;
    this.#take(this.#reader.next(bytes));
  }

  #take(step: IteratorResult<{ offset: number; length: number }, T>): void {
    this.#wanted = step.done ? undefined : step.value;
    if (step.done) this.#result = step.value;
  }
}
