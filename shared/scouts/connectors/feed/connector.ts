import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import type { ItemRef } from "../../../../events/ids.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { RingSealer } from "../../../privacy/ring-sealer.ts";
import { Transient } from "../../../privacy/transient.ts";
import type { ScoutStore } from "../../scout-store.ts";
import type { Reading } from "../../triage/readable-text.ts";
import { isOutOfReach, type Reach } from "../address-guard.ts";
import type {
  ItemContent,
  ItemMetadata,
  KeptSettings,
  Listing,
  Position,
  ScoutAtSource,
  Sees,
  SettingsConnection,
  SourceConnector,
  Verified,
} from "../connector.ts";
import { seen } from "../metadata.ts";
import { SettingsVault } from "../settings-vault.ts";
import { unreached } from "../unreached.ts";
import { CurrentFeeds } from "./current-feeds.ts";
import { decodedText } from "./document/charset.ts";
import { linkedFeed } from "./document/linked-feed.ts";
import { feedIn } from "./document/parse-feed.ts";
import { type FetchOptions, fetchDocument } from "./fetch-document.ts";
import { contentOf } from "./item.ts";
import { itemsByRef } from "./item-refs.ts";
import { type FirstReading, firstReading, listNew, movedTo } from "./listing.ts";
import { type MovePorts, movedThere, refuseMove } from "./moves.ts";
import {
  accessOf,
  type FeedAccess,
  type FeedSettings,
  feedSettings,
  openAccess,
  ownOf,
  sourceIdentities,
} from "./settings.ts";
import { whereItIs } from "./where-it-is.ts";

/** Of a feed that is new to its scout, so many of the newest items are news: its owner sees at once what it is about. */
const firstItems = 10;

export interface FeedPorts {
  readonly scouts: ScoutStore;
  readonly vault: () => Promise<RingSealer>;
  readonly clock: Clock;
  readonly reach: Reach;
  readonly timeoutMs?: number;
  /** How a document is asked for; `guardedGet` unless told. */
  readonly get?: FetchOptions["get"];
}

/** RSS, Atom and JSON feeds as a source: polled, items told apart by their guid, each read out of the feed again. */
export class FeedConnector implements SourceConnector {
  readonly sourceType = "feed";
  readonly pollOnly = true;
  readonly settings: SettingsConnection<FeedSettings>;
  readonly #ports: FeedPorts;
  readonly #kept: SettingsVault;
  readonly #current: CurrentFeeds;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#kept = new SettingsVault(ports.scouts, ports.vault);
    const verify = (scout: ScoutAtSource, settings: Transient<KeptSettings<FeedSettings>>) =>
      this.#verify(scout, settings.reveal());
    this.settings = { schema: feedSettings, secrets: [], verify };
    this.#current = new CurrentFeeds((scout) => this.#readItems(scout), ports.clock);
  }

  async sees(scout: ScoutAtSource): Promise<Sees> {
    const access = (await this.#access(scout)).reveal();
    return whereItIs(
      (url) => this.#look(scout, { ...access, url }),
      access.url,
      () => this.#movedTo(scout),
    );
  }

  async currentCursor(scout: ScoutAtSource): Promise<string> {
    const access = (await this.#access(scout)).reveal();
    return (await firstReading(await this.#listingPorts(scout, access), access, 0)).cursor;
  }

  async listNew(scout: ScoutAtSource, { cursor }: Position): Promise<Listing> {
    const access = (await this.#access(scout)).reveal();
    const refuse = (to: string, wasThere: boolean) => refuseMove(this.#moves, scout, to, wasThere);
    const ports = { ...(await this.#listingPorts(scout, access)), refuse };
    return listNew(ports, access, cursor).catch(ofPassingNetwork(access));
  }

  async fetchMetadata(scout: ScoutAtSource, ref: ItemRef): Promise<ItemMetadata> {
    return this.fetchContent(scout, ref);
  }

  async fetchContent(scout: ScoutAtSource, ref: ItemRef, reading?: Reading): Promise<ItemContent> {
    const item = await this.#current.find(scout, ref);
    if (!item) throw new ScoutsError("item_gone", { data: { ref } });
    return contentOf(item, this.#ports.clock(), reading);
  }

  /** Feeds tell nobody anything. */
  async setupWatch(): Promise<undefined> {}

  async stopWatch(): Promise<void> {}

  /** @throws source_address_refused, source_unavailable, source_unreadable, … */
  async #verify(scout: ScoutAtSource, settings: KeptSettings<FeedSettings>): Promise<Verified> {
    const { given } = settings;
    // Where it is now counts, whatever was there before.
    const typed = { ...accessOf(settings), url: given.url, isPublic: false };
    const { access, permanentUrl, sees, cursor } = await this.#found(scout, typed).catch(async (error: unknown) => {
      if (!isScoutsError(error, "source_no_feed")) throw error;
      return this.#found(scout, await this.#linkedBy(typed));
    });
    const here = [...sourceIdentities(scout, permanentUrl), ...sourceIdentities(scout, access.url)];
    const movedHere = await movedThere(this.#moves, here, scout);
    const at = movedHere.find(({ of }) => of === scout.scoutId)?.place ?? permanentUrl;
    // Of an address that moves on again, or back, it stays the feed it was when it was added.
    const place = access.place?.of === access.url ? access.place : { of: access.url, at };
    const [identity, ...others] = sourceIdentities(scout, place.at);
    const formerly = movedHere.flatMap(({ place: former }) => sourceIdentities(scout, former));
    const alsoKnownAs = new Transient([...others, ...here, ...formerly]);
    const own = new Transient(ownOf({ ...access, place }, given));
    return { sees, identity: new Transient(identity), alsoKnownAs, own, cursor };
  }

  async #found(
    scout: ScoutAtSource,
    access: FeedAccess,
  ): Promise<Pick<Verified, "sees" | "cursor"> & { access: FeedAccess; permanentUrl: string }> {
    const { cursor, isPublic, permanentUrl, ...sees } = await this.#look(scout, access);
    return { access: { ...access, isPublic }, permanentUrl, sees, cursor };
  }

  /** The feed of a page. A page of the internet leads nobody inside. @throws source_no_feed when it names none */
  async #linkedBy(access: FeedAccess): Promise<FeedAccess> {
    const page = await fetchDocument(access.url, {}, this.#fetchOptions(access));
    const url = linkedFeed(decodedText(page.body, page.contentType), page.url);
    if (url === undefined) throw new ScoutsError("source_no_feed");
    return { ...access, url, isPublic: page.isPublic };
  }

  /** A feed without a title is known by its host. */
  async #look(scout: ScoutAtSource, access: FeedAccess): Promise<Sees & Omit<FirstReading, "title" | "items">> {
    const { title, items, ...found } = await firstReading(await this.#listingPorts(scout, access), access, firstItems);
    return { ...seen(title.trim() || new URL(access.url).host, { items }), ...found };
  }

  async #movedTo(scout: ScoutAtSource): Promise<string | undefined> {
    const { cursor } = await this.#ports.scouts.get(scout.userId, scout.scoutId);
    return cursor === undefined ? undefined : movedTo({ scout, vault: await this.#ports.vault() }, cursor);
  }

  get #moves(): MovePorts {
    return { ...this.#ports, kept: this.#kept, sourceType: this.sourceType };
  }

  #access(scout: ScoutAtSource): Promise<Transient<FeedAccess>> {
    return openAccess(this.#kept, scout);
  }

  async #readItems(scout: ScoutAtSource) {
    const access = (await this.#access(scout)).reveal();
    const read = async (url: string) => feedIn(await fetchDocument(url, {}, this.#fetchOptions(access)));
    const found = whereItIs(read, access.url, () => this.#movedTo(scout));
    const { items, complete } = await found.catch(ofPassingNetwork(access));
    return { byRef: itemsByRef(access, items), complete };
  }

  async #listingPorts(scout: ScoutAtSource, access: FeedAccess) {
    return { scout, vault: await this.#ports.vault(), fetchOptions: this.#fetchOptions(access) };
  }

  #fetchOptions({ isPublic }: FeedAccess): FetchOptions {
    const { clock, timeoutMs, get } = this.#ports;
    const reach = isPublic ? "public" : this.#ports.reach;
    return { reach, nowMs: clock(), ...(timeoutMs === undefined ? {} : { timeoutMs }), ...(get && { get }) };
  }
}

/**
 * A feed of the internet whose name leads into a network is not followed there. It may be the network that its home is in for a while: a
 * hotel's, where every name leads to a page for signing in. So it is asked again, and its scout not switched off.
 */
function ofPassingNetwork({ isPublic }: FeedAccess): (error: unknown) => never {
  return (error) => {
    throw isPublic && isOutOfReach(error) ? unreached("route", error) : error;
  };
}
