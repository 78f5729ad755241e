const bytesEach = Int32Array.BYTES_PER_ELEMENT;

/** Counts by name in memory that threads share: one counts, another reads what holds at that moment, and neither waits. */
export class SharedCounts {
  readonly memory: SharedArrayBuffer;
  readonly #places: ReadonlyMap<string, number>;
  readonly #counts: Int32Array;

  /** @param names the same in the same order wherever the memory is looked at */
  constructor(names: readonly string[], memory = new SharedArrayBuffer(names.length * bytesEach)) {
    this.memory = memory;
    this.#places = new Map(names.map((name, place) => [name, place]));
    this.#counts = new Int32Array(memory);
  }

  /** One more; what has no place here is not counted. */
  count(name: string): void {
    const place = this.#places.get(name);
    if (place !== undefined) Atomics.add(this.#counts, place, 1);
  }

  /** Those that were counted at all. */
  counts(): [name: string, count: number][] {
    return [...this.#places]
      .map(([name, place]): [string, number] => [name, Atomics.load(this.#counts, place)])
      .filter(([, count]) => count > 0);
  }
}
