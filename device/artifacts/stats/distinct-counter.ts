import type { Distinct } from "./stats.ts";

/**
 * Counts different values by 32-bit hashes: exactly while there are few, then by HyperLogLog. Estimates follow Ertl,
 * "New cardinality estimation algorithms for HyperLogLog sketches" (arXiv 1702.01284, section 4), which need no bias
 * tables: the standard error is 1.04 / √(2^precision).
 */
export class DistinctCounter {
  readonly #precision: number;
  readonly #exactLimit: number;
  #exact: Int32Array | undefined;
  #hasZero = false;
  #size = 0;
  #registers: Uint8Array | undefined;

  /** `exactLimit` must be a power of two; twice as many 32-bit words are held until it is passed. */
  constructor(precision = 12, exactLimit = 128) {
    this.#precision = precision;
    this.#exactLimit = exactLimit;
  }

  /** True when the value is certainly new, which is known only while counting is exact. */
  add(hash: number): boolean {
    const registers = this.#registers;
    if (registers !== undefined) {
      observe(registers, this.#precision, hash);
      return false;
    }
    this.#exact ??= new Int32Array(this.#exactLimit * 2);
    return this.#addExactly(this.#exact, hash | 0);
  }

  get result(): Distinct {
    if (this.#registers === undefined) return { count: this.#size, isExact: true };
    return { count: Math.round(estimate(this.#registers, this.#precision)), isExact: false };
  }

  /** The same, when it is known how many values there were: no more can be different. */
  resultAmong(values: number): Distinct {
    const { count, isExact } = this.result;
    return { count: Math.min(count, values), isExact };
  }

  #addExactly(table: Int32Array, hash: number): boolean {
    if (hash === 0) {
      const isNew = !this.#hasZero;
      this.#hasZero = true;
      if (isNew) this.#size++;
      return isNew;
    }
    const mask = table.length - 1;
    let slot = hash & mask;
    for (let held = table[slot]; held !== 0; held = table[slot]) {
      if (held === hash) return false;
      slot = (slot + 1) & mask;
    }
    if (this.#size >= this.#exactLimit) {
      this.#estimateFromNowOn(table, hash);
      return true;
    }
    table[slot] = hash;
    this.#size++;
    return true;
  }

  #estimateFromNowOn(table: Int32Array, hash: number): void {
    const registers = new Uint8Array(2 ** this.#precision);
    for (const held of table) if (held !== 0) observe(registers, this.#precision, held);
    if (this.#hasZero) observe(registers, this.#precision, 0);
    observe(registers, this.#precision, hash);
    this.#registers = registers;
    this.#exact = undefined;
  }
}

function observe(registers: Uint8Array, precision: number, hash: number): void {
  const index = hash >>> (32 - precision);
  const rank = Math.clz32((hash << precision) | (1 << (precision - 1))) + 1;
  if (rank > (registers[index] ?? 0)) registers[index] = rank;
}

function estimate(registers: Uint8Array, precision: number): number {
  const m = registers.length;
  const q = 32 - precision;
  const counts = new Float64Array(q + 2);
  for (const rank of registers) counts[rank] = (counts[rank] ?? 0) + 1;
  let z = m * tau(1 - (counts[q + 1] ?? 0) / m);
  for (let k = q; k >= 1; k--) z = 0.5 * (z + (counts[k] ?? 0));
  z += m * sigma((counts[0] ?? 0) / m);
  const hashes = m ** 2 / (2 * Math.LN2 * z);
  // Different values with the same 32-bit hash are seen as one.
  return hashes >= 2 ** 32 ? hashes : -(2 ** 32) * Math.log1p(-hashes / 2 ** 32);
}

function sigma(start: number): number {
  if (start === 1) return Number.POSITIVE_INFINITY;
  let [x, y, z, before] = [start, 1, start, Number.NaN];
  while (z !== before) {
    before = z;
    x *= x;
    z += x * y;
    y += y;
  }
  return z;
}

function tau(start: number): number {
  if (start === 0 || start === 1) return 0;
  let [x, y, z, before] = [start, 1, 1 - start, Number.NaN];
  while (z !== before) {
    before = z;
    x = Math.sqrt(x);
    y *= 0.5;
    z -= (1 - x) ** 2 * y;
  }
  return z / 3;
}

/** Start value and multiplier of FNV-1a; results must go through {@link mixed} before they are counted. */
export const hashStart = 0x811c9dc5 | 0;
export const hashPrime = 0x01000193;

/** The finaliser of MurmurHash3: every bit of the result depends on every bit of the hash. */
export function mixed(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

const double = new Float64Array(1);
const halves = new Int32Array(double.buffer);

/** Equal numbers have equal hashes, however they are written. */
export function hashOfNumber(value: number): number {
  double[0] = value + 0;
  return mixed(Math.imul(halves[0] ?? 0, 0x9e3779b1) ^ Math.imul((halves[1] ?? 0) + 0x7f4a7c15, 0x85ebca77));
}
