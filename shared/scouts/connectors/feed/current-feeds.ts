import type { Clock } from "../../../ports/clock.ts";
import type { ScoutAtSource } from "../connector.ts";
import type { FeedItem } from "./feed.ts";

/** A feed as it was read a moment ago: its items by ref. In memory only. */
export type ItemsByRef = ReadonlyMap<string, FeedItem>;

/** How long a feed that was read serves everybody who asks for one of its items: a batch of them is one request. */
export const freshForMs = 5000;
/** A feed's texts are some megabytes at most. */
const maxFeeds = 8;

interface Reading {
  readonly atMs: number;
  readonly items: Promise<ItemsByRef>;
}

/** Feeds read for their items; whoever asks while one is being read waits for the same answer. */
export class CurrentFeeds {
  readonly #read: (scout: ScoutAtSource) => Promise<ItemsByRef>;
  readonly #clock: Clock;
  readonly #readings = new Map<string, Reading>();

  constructor(read: (scout: ScoutAtSource) => Promise<ItemsByRef>, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  /** The item as the feed has it now, or `undefined` when it has not. */
  async find(scout: ScoutAtSource, ref: string): Promise<FeedItem | undefined> {
    const askedAtMs = this.#clock();
    const known = await this.#since(scout, askedAtMs - freshForMs);
    const found = known.get(ref);
    // What was read earlier cannot say that an item has come since.
    return found ?? (await this.#since(scout, askedAtMs)).get(ref);
  }

  #since(scout: ScoutAtSource, earliestMs: number): Promise<ItemsByRef> {
    const known = this.#readings.get(scout.scoutId);
    if (known && known.atMs >= earliestMs) return known.items;
    const reading = { atMs: this.#clock(), items: this.#read(scout) };
    this.#remember(scout.scoutId, reading);
    return reading.items;
  }

  #remember(scoutId: string, reading: Reading): void {
    this.#readings.delete(scoutId);
    this.#readings.set(scoutId, reading);
    for (const oldest of this.#readings.keys()) {
      if (this.#readings.size <= maxFeeds) break;
      this.#readings.delete(oldest);
    }
    const forget = () => {
      if (this.#readings.get(scoutId) === reading) this.#readings.delete(scoutId);
    };
    reading.items.catch(forget);
  }
}
