/** Keeps the first and the last part of a stream within a budget, and knows how much fell out in between. */
export class BoundedOutput {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #totalBytes = 0;

  constructor(maxBytes: number) {
    this.#headLimit = Math.ceil(maxBytes / 2);
    this.#tailLimit = maxBytes - this.#headLimit;
  }

  add(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    const forHead = chunk.subarray(0, this.#headLimit - this.#headBytes);
    if (forHead.length > 0) {
      // A copy: the chunk may be a view of a large pooled buffer.
      this.#head.push(Buffer.from(forHead));
      this.#headBytes += forHead.length;
    }
    const forTail = chunk.subarray(forHead.length);
    if (forTail.length === 0 || this.#tailLimit === 0) return;
    this.#tail.push(Buffer.from(forTail.subarray(-this.#tailLimit)));
    this.#tailBytes += Math.min(forTail.length, this.#tailLimit);
    // Joined now and then only, so that many small chunks stay cheap.
    if (this.#tailBytes > 2 * this.#tailLimit || this.#tail.length > 1_024) this.#trim();
  }

  /** Bytes kept, and how many were dropped between the two parts. */
  take(): { head: Buffer; tail: Buffer; droppedBytes: number } {
    this.#trim();
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    return { head, tail, droppedBytes: this.#totalBytes - head.length - tail.length };
  }

  #trim(): void {
    const joined = Buffer.concat(this.#tail);
    const kept = this.#tailLimit === 0 ? joined.subarray(0, 0) : joined.subarray(-this.#tailLimit);
    this.#tail = [Buffer.from(kept)];
    this.#tailBytes = kept.length;
  }
}
