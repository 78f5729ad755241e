import { seededRandom } from "../standins/seeded-random.ts";

/** Rates between 0 and 1, each per opportunity. */
export interface FaultOptions {
  /** Same seed, same decisions in the same order; how invocations interleave is still up to the machine. */
  seed: number;
  /** A function dies at one of its outgoing calls, before or after the call took effect. */
  crashPerCall?: number;
  /** An AWS request is answered with a throttling error; a few more follow, so that SDK retries do not always hide it. */
  throttlePerRequest?: number;
  /** A batch of messages is delivered twice, the second time beside the first. */
  duplicatePerBatch?: number;
  /** The delete after a success gets lost: the messages come again. */
  lostDeletePerBatch?: number;
  /** A post to a live connection is answered 410. */
  gonePerPost?: number;
  /** `$disconnect` is not delivered. */
  lostDisconnect?: number;
}

/** Where in an invocation a function is to die: at its n-th outgoing call, counted from 0. */
export interface CrashPoint {
  call: number;
  when: "before" | "after";
}

const defaults = {
  crashPerCall: 0.004,
  throttlePerRequest: 0.01,
  duplicatePerBatch: 0.05,
  lostDeletePerBatch: 0.03,
  gonePerPost: 0.003,
  lostDisconnect: 0.3,
};

/** Decides when the local home misbehaves the way AWS may. */
export class FaultInjector {
  readonly #rates: Required<Omit<FaultOptions, "seed">>;
  readonly #random: () => number;
  readonly #throttling = new Map<string, number>();

  constructor({ seed, ...rates }: FaultOptions) {
    this.#rates = { ...defaults, ...rates };
    this.#random = seededRandom(seed);
  }

  #happens(rate: number): boolean {
    return this.#random() < rate;
  }

  /** A crash point for the next invocation, geometric in the number of calls it makes. */
  crashPoint(): CrashPoint | undefined {
    const rate = this.#rates.crashPerCall;
    if (rate <= 0) return undefined;
    const call = rate >= 1 ? 0 : Math.floor(Math.log(1 - this.#random()) / Math.log(1 - rate));
    return { call, when: this.#happens(0.5) ? "before" : "after" };
  }

  throttles(accessKeyId: string): boolean {
    const left = this.#throttling.get(accessKeyId) ?? 0;
    if (left > 0) {
      this.#throttling.set(accessKeyId, left - 1);
      return true;
    }
    if (!this.#happens(this.#rates.throttlePerRequest)) return false;
    this.#throttling.set(accessKeyId, Math.floor(this.#random() * 4));
    return true;
  }

  duplicatesBatch(): boolean {
    return this.#happens(this.#rates.duplicatePerBatch);
  }

  losesDelete(): boolean {
    return this.#happens(this.#rates.lostDeletePerBatch);
  }

  postIsGone(): boolean {
    return this.#happens(this.#rates.gonePerPost);
  }

  losesDisconnect(): boolean {
    return this.#happens(this.#rates.lostDisconnect);
  }

  /** The items in random order. */
  shuffled<T>(items: readonly T[]): T[] {
    const order = items.map((item) => ({ item, rank: this.#random() }));
    return order.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
  }
}
