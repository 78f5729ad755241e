import { ScoutsError } from "../../../../events/errors.ts";
import type { ItemRef } from "../../../../events/ids.ts";
import type { SourceSettings } from "../../../../events/sources.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { RingSealer } from "../../../privacy/ring-sealer.ts";
import type { Transient } from "../../../privacy/transient.ts";
import type { ScoutStore } from "../../scout-store.ts";
import type {
  ConnectedBySettings,
  ItemContent,
  ItemMetadata,
  Listing,
  Position,
  ScoutAtSource,
  SourceConnector,
} from "../connector.ts";
import type { Reach } from "./address-guard.ts";
import { CurrentFeeds } from "./current-feeds.ts";
import { type FetchOptions, fetchDocument } from "./fetch-document.ts";
import { contentOf } from "./item.ts";
import { listNew } from "./listing.ts";
import { parseFeed } from "./parse-feed.ts";
import { nothingKnown } from "./position.ts";
import { blindUrl, type FeedAccess, newAccess, openAccess, refOf, toTransient } from "./settings.ts";

export interface FeedPorts {
  readonly scouts: ScoutStore;
  readonly vault: () => Promise<RingSealer>;
  readonly clock: Clock;
  readonly reach: Reach;
  readonly timeoutMs?: number;
}

/** RSS, Atom and JSON feeds as a source: polled, items told apart by their guid, each read out of the feed again. */
export class FeedConnector implements SourceConnector {
  readonly sourceType = "feed";
  readonly pollOnly = true;
  readonly #ports: FeedPorts;
  readonly #current: CurrentFeeds;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#current = new CurrentFeeds((scout) => this.#readItems(scout), ports.clock);
  }

  /** @throws source_address_refused, source_unavailable, source_unreadable, …: then there is no scout */
  async connectWith(scout: ScoutAtSource, { url }: SourceSettings): Promise<ConnectedBySettings> {
    const access = newAccess(url);
    const cursor = await this.#cursorNow(scout, access);
    return { settings: toTransient(access), address: blindUrl(access), cursor };
  }

  async currentCursor(scout: ScoutAtSource): Promise<string> {
    return this.#cursorNow(scout, (await this.#access(scout)).reveal());
  }

  async listNew(scout: ScoutAtSource, { cursor }: Position): Promise<Listing> {
    const access = await this.#access(scout);
    return listNew(await this.#listingPorts(scout), access.reveal(), cursor);
  }

  async fetchMetadata(scout: ScoutAtSource, ref: ItemRef): Promise<ItemMetadata> {
    return this.fetchContent(scout, ref);
  }

  async fetchContent(scout: ScoutAtSource, ref: ItemRef): Promise<ItemContent> {
    const item = await this.#current.find(scout, ref);
    if (!item) throw new ScoutsError("item_gone", { data: { ref } });
    return contentOf(item, this.#ports.clock());
  }

  /** Feeds tell nobody anything. */
  async setupWatch(): Promise<undefined> {}

  async stopWatch(): Promise<void> {}

  async #cursorNow(scout: ScoutAtSource, access: FeedAccess): Promise<string> {
    const { cursor } = await listNew(await this.#listingPorts(scout), access, nothingKnown);
    return cursor;
  }

  #access(scout: ScoutAtSource): Promise<Transient<FeedAccess>> {
    return openAccess(this.#ports.scouts, this.#ports.vault, scout);
  }

  async #readItems(scout: ScoutAtSource) {
    const access = (await this.#access(scout)).reveal();
    const document = await fetchDocument(access.url, {}, this.#fetchOptions());
    // Without validators a 304 is a server's mistake.
    if (!document) throw new ScoutsError("source_unavailable");
    const { items } = parseFeed(document.body, document.contentType);
    return new Map(items.map((item) => [refOf(access, item.identity), item]));
  }

  async #listingPorts(scout: ScoutAtSource) {
    return { scout, vault: await this.#ports.vault(), fetchOptions: this.#fetchOptions() };
  }

  #fetchOptions(): FetchOptions {
    const { clock, reach, timeoutMs } = this.#ports;
    return { reach, nowMs: clock(), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  }
}
