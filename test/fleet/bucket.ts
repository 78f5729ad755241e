/** What may be used in a second, and what of it was left by the seconds before. */
export class Bucket {
  readonly #rate: number;
  readonly #depth: number;
  #level: number;

  /** @param depth how much gathers while nothing is used; a second's at least */
  constructor(rate: number, depth = rate) {
    this.#rate = rate;
    this.#depth = Math.max(rate, depth);
    this.#level = this.#depth;
  }

  /** Another second has begun. */
  refill(): void {
    this.#level = Math.min(this.#depth, this.#level + this.#rate);
  }

  /** How many at this price there is room for, of so many wanted. They are taken. */
  takeWhole(wanted: number, price = 1): number {
    if (this.#rate === Number.POSITIVE_INFINITY) return wanted;
    const room = Math.max(0, Math.min(wanted, Math.floor(this.#level / price + 1e-9)));
    this.#level -= room * price;
    return room;
  }
}
