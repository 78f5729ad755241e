/** What a piece of content was cut through, put in front of the next piece. One growing buffer serves for all pieces. */
export class Carry {
  length = 0;
  #storage = Buffer.alloc(0);

  /** The rest of the last piece and this one; valid until the next call. */
  join(piece: Buffer): Buffer {
    if (this.length === 0) return piece;
    const total = this.length + piece.length;
    this.#reserve(total);
    piece.copy(this.#storage, this.length);
    this.length = 0;
    return this.#storage.subarray(0, total);
  }

  /** Keeps the end of what {@link join} gave. */
  keep(bytes: Buffer, from: number): void {
    const rest = bytes.subarray(from);
    this.#reserve(rest.length);
    // Within one buffer this moves the bytes to its beginning.
    rest.copy(this.#storage);
    this.length = rest.length;
  }

  #reserve(length: number): void {
    if (this.#storage.length >= length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#storage.length * 2));
    this.#storage.copy(larger);
    this.#storage = larger;
  }
}
