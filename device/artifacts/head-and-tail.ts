/** Keeps the first and the last part of content that comes in pieces. */
export class HeadAndTail {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  totalBytes = 0;

  constructor(maxBytes: number) {
    this.#headLimit = Math.ceil(maxBytes / 2);
    this.#tailLimit = Math.floor(maxBytes / 2);
  }

  add(piece: Uint8Array): void {
    this.totalBytes += piece.length;
    const forHead = Math.min(piece.length, this.#headLimit - this.#head.length);
    if (forHead > 0) this.#head = Buffer.concat([this.#head, piece.subarray(0, forHead)]);
    const rest = piece.subarray(forHead);
    if (rest.length === 0 || this.#tailLimit === 0) return;
    this.#tail = Buffer.concat([this.#tail, rest.subarray(-this.#tailLimit)]);
    if (this.#tail.length > this.#tailLimit) this.#tail = Buffer.from(this.#tail.subarray(-this.#tailLimit));
  }

  /** Both parts as text, with a line in between that says how much is missing. */
  get text(): string {
    const dropped = this.totalBytes - this.#head.length - this.#tail.length;
    if (dropped === 0) return Buffer.concat([this.#head, this.#tail]).toString("utf8");
    return `${this.#head.toString("utf8")}\n[… ${dropped} bytes left out …]\n${this.#tail.toString("utf8")}`;
  }

  get head(): Buffer {
    return this.#head;
  }
}
