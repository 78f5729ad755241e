import type { ItemRef, ScoutId, UserId } from "../../../events/ids.ts";
import type { Transient } from "../../privacy/transient.ts";

/** The scout a connector works for; everything source-specific is behind it, in the vault and in opaque positions. */
export interface ScoutAtSource {
  readonly userId: UserId;
  readonly scoutId: ScoutId;
}

/** Where a scout has read to. All three are the connector's own and opaque to everybody else. */
export interface Position {
  /** Everything before this is queued. */
  readonly cursor: string;
  /** Set while a listing is under way that did not fit one run. */
  readonly page?: string;
}

/** A stretch the source could not replay as a history and that was searched instead; shown to the person. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Listing {
  readonly refs: readonly ItemRef[];
  /** Present when more follows: ask again with it. */
  readonly nextPage?: string;
  /** On the last page: the cursor to keep once every ref is queued. */
  readonly cursor?: string;
  readonly gap?: Gap;
}

export interface ItemMetadata {
  readonly subject: Transient<string>;
  readonly sender: Transient<string>;
  readonly snippet: Transient<string>;
  readonly receivedAtMs: number;
  /** Whether the item is still where the scout watches. */
  readonly present: boolean;
}

export interface ItemContent extends ItemMetadata {
  /** Readable text, hidden parts removed. */
  readonly text: Transient<string>;
}

export interface Watch {
  readonly expiresAtMs: number;
}

/**
 * A source of items. MUST NOT keep content anywhere; MUST throw ScoutsError with a `source_*`, `item_*` or `reauth` code
 * and nothing else; refs and positions MUST NOT carry content (a source whose ids do uses an HMAC).
 */
export interface SourceConnector {
  readonly sourceType: string;
  /** One page of what is new since `position`. Repeating a call with the same position MUST give at least the same refs. */
  listNew(scout: ScoutAtSource, position: Position): Promise<Listing>;
  /** @throws item_gone when the source does not have it any more. */
  fetchMetadata(scout: ScoutAtSource, ref: ItemRef): Promise<ItemMetadata>;
  /** @throws item_gone, item_unreadable */
  fetchContent(scout: ScoutAtSource, ref: ItemRef): Promise<ItemContent>;
  /** The position of a scout that has just been connected: from now on. */
  currentCursor(scout: ScoutAtSource): Promise<string>;
  /**
   * Asks the source to tell us about news. Idempotent: asking again prolongs. `undefined` from a source that tells
   * nobody anything: its scouts are polled, which happens anyway.
   */
  setupWatch(scout: ScoutAtSource): Promise<Watch | undefined>;
  stopWatch(scout: ScoutAtSource): Promise<void>;
}

/** Connectors by source type: the one list that names them all is written where functions are composed. */
export type ConnectorRegistry = ReadonlyMap<string, SourceConnector>;
