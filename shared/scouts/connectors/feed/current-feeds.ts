import { ScoutsError } from "../../../../events/errors.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { ScoutAtSource } from "../connector.ts";
import type { FeedItem } from "./document/feed.ts";

/** A feed as it was read a moment ago. In memory only. */
export interface CurrentFeed {
  readonly byRef: ReadonlyMap<string, FeedItem>;
  /** Whether the document was read to its proper end. */
  readonly complete: boolean;
}

/** How long a feed that was read serves everybody who asks for one of its items: a batch of them is one request. */
export const freshForMs = 5000;
/** A feed's texts are some megabytes at most. */
const maxFeeds = 8;

interface Reading {
  readonly atMs: number;
  readonly feed: Promise<CurrentFeed>;
}

/** Feeds read for their items; whoever asks while one is being read waits for the same answer. */
export class CurrentFeeds {
  readonly #read: (scout: ScoutAtSource) => Promise<CurrentFeed>;
  readonly #clock: Clock;
  readonly #readings = new Map<string, Reading>();

  constructor(read: (scout: ScoutAtSource) => Promise<CurrentFeed>, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  /**
   * The item as the feed has it now, or `undefined` when it has not.
   *
   * @throws source_unavailable when it is not in a document that broke off: what follows there nobody knows
   */
  async find(scout: ScoutAtSource, ref: string): Promise<FeedItem | undefined> {
    const askedAtMs = this.#clock();
    const known = await this.#since(scout, askedAtMs - freshForMs);
    const found = known.byRef.get(ref);
    if (found) return found;
    // What was read earlier cannot say that an item has come since.
    const { byRef, complete } = await this.#since(scout, askedAtMs);
    const item = byRef.get(ref);
    if (!item && !complete) throw new ScoutsError("source_unavailable", { data: { what: "document" } });
    return item;
  }

  #since(scout: ScoutAtSource, earliestMs: number): Promise<CurrentFeed> {
    const known = this.#readings.get(scout.scoutId);
    const nowMs = this.#clock();
    // One of a time yet to come was read before the clock stepped back: what has come since is not in it.
    if (known && known.atMs >= earliestMs && known.atMs <= nowMs) return known.feed;
    const reading = { atMs: nowMs, feed: this.#read(scout) };
    this.#remember(scout.scoutId, reading);
    return reading.feed;
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
    reading.feed.catch(forget);
  }
}
