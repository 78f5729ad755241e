import type * as z from "zod";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { ScoutsError } from "../../../events/errors.ts";
import type { ItemRef, ScoutId, UserId } from "../../../events/ids.ts";
import type { ItemHeader } from "../../../events/proposals/item.ts";
import type { ProposalMetadata } from "../../../events/proposals/metadata.ts";
import type { KeptReason } from "../../../events/proposals/verdict.ts";
import type { MailTrait } from "../../../events/sources/mail-traits.ts";
import type { Transient } from "../../privacy/transient.ts";
import type { Reading } from "../triage/readable-text.ts";

/** The scout a connector works for; everything source-specific is behind it, in the vault and in opaque positions. */
export interface ScoutAtSource {
  readonly userId: UserId;
  readonly scoutId: ScoutId;
  /** The address at the source it is connected to, blinded: access kept for another is not to be used. */
  readonly address?: string | undefined;
  /** The address it was connected to before, while its watch there is yet to be given up. */
  readonly formerAddress?: string | undefined;
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
  /** It could not be searched either: what came and went again in that time is not known. */
  readonly missed?: true;
}

export interface Listing {
  readonly refs: readonly ItemRef[];
  /** Present when more follows: ask again with it. */
  readonly nextPage?: string;
  /** On the last page: the cursor to keep once every ref is queued. */
  readonly cursor?: string;
  readonly gap?: Gap;
  /** A part of the source could not be looked at, and the rest was: why. That part is read on from where it was left. */
  readonly lacks?: ErrorCode;
}

/** Who an item is from; either may be empty. */
export type Sender = Readonly<ProposalMetadata["sender"]>;

/**
 * How an item came to its reader: addressed to them, in copy, through a list that is written to, or sent to many alike.
 * `unknown` where the source does not say.
 */
export type Relation = ProposalMetadata["relation"];

export interface Attachment {
  readonly name: string;
  readonly sizeBytes: number;
}

/** What a mail says for programs beside its letter: calendar parts (RFC 5545) and JSON-LD (schema.org), as they are written. */
export interface MachineParts {
  readonly calendars: readonly string[];
  readonly linkedData: readonly string[];
}

/**
 * What is known of an item without its content. Built by `itemMetadata` (metadata.ts) and nowhere else, so that every
 * text in it is one line of bounded length, whatever a stranger has written.
 */
export interface ItemMetadata {
  readonly subject: Transient<string>;
  readonly sender: Transient<Sender>;
  readonly snippet: Transient<string>;
  readonly receivedAtMs: number;
  /** When its sender says it was sent, in milliseconds since 1970. */
  readonly sentAt?: number;
  /** How far its sender's clock was ahead of UTC; absent where that is not known. */
  readonly sentOffsetMinutes?: number;
  /** When a server of its reader took it in, as that server wrote into it; absent where none did: in a file, say. */
  readonly arrivedAt?: number;
  readonly relation: Relation;
  /**
   * The conversation the item belongs to: the source's own id of it, else `threadRefOf` (mail/thread.ts), never something
   * a person can read.
   */
  readonly threadRef?: string;
  /** Absent where the source was not asked for them; empty when there are none. */
  readonly attachments?: Transient<readonly Attachment[]>;
  /** The list's own id (RFC 2919, List-Id). */
  readonly listId?: Transient<string>;
  /** Sent by a program and not by a person (RFC 3834, Auto-Submitted; Precedence). */
  readonly automatic: boolean;
  /** Where a person can open the item at its source: https or http. */
  readonly sourceLink?: Transient<string>;
  /** Whether the item is still where the scout watches. */
  readonly present: boolean;
  /** A digest of what a person may change about the item (labels, say); sources with an archive give one. */
  readonly state?: string;
}

export interface ItemContent extends ItemMetadata {
  /** Its header, where it has one; made by `shownHeader`, which bounds it. */
  readonly header?: Transient<ItemHeader>;
  /** Readable text, hidden parts removed, in the reading that was asked for. */
  readonly text: Transient<string>;
  /** Another version of the text, for programs that do not show the first, where it says something else. */
  readonly otherText?: Transient<string>;
  /** The text goes on at its source: no more of it is read. */
  readonly isCut?: true;
  /** What the form of a mail tells of it; absent where it is no mail. */
  readonly traits?: readonly MailTrait[];
  /** What it says for programs; absent where it says nothing. */
  readonly machineParts?: Transient<MachineParts>;
}

/**
 * What a scout sees at its source as it stands: content, for one answer to its owner, kept nowhere. Counts are absent
 * where the source does not tell them.
 */
export interface Sees {
  /** What is looked at, by the name a person knows it by: an account, a feed's title, a path. No sentence. Bounded by `seen`. */
  readonly place: Transient<string>;
  /** Which of its folders; none where it has none. Bounded by `seen`. */
  readonly folders: Transient<readonly string[]>;
  /** Which of those it was told to read are not there, or do not open; likewise. */
  readonly missing: Transient<readonly string[]>;
  /** Items there now, and how many of them nobody has read. */
  readonly items?: number;
  readonly unread?: number;
}

/**
 * Settings of a scout's source as they are kept: all of it sealed in the scout's row under the vault's key, secrets with
 * the rest, so that one write makes a scout and no secret is ever left without its scout.
 */
export interface KeptSettings<S extends object> {
  /** What the person gave, secrets included. */
  readonly given: S;
  /** What the connector keeps besides, by names of its own: a key that refs are made with, say. */
  readonly own?: Readonly<Record<string, string>>;
}

/** What reaching a source with settings came to. */
export interface Verified {
  readonly sees: Sees;
  /**
   * Which source this is, in one canonical text (`imap ada@mail.example.com`): a person has at most one scout on it. The
   * engine keeps it blinded and never as it is. Where strangers could name the source too (a feed's address), the text
   * begins with the person's id, so that rows of two people have nothing in common.
   */
  readonly identity: Transient<string>;
  /** What a scout on it may be known as as well, from before it moved, say: that scout goes on, and is no second one. */
  readonly alsoKnownAs?: Transient<readonly string[]>;
  /** The address of an account, where a scout connected by consent would read the same: then that counts as which source it is. */
  readonly account?: Transient<string>;
  /** Kept as {@link KeptSettings.own}. */
  readonly own?: Transient<Readonly<Record<string, string>>>;
  /** Where a new scout begins to read: at "now", or a little before, so that its owner sees at once that it works. */
  readonly cursor: string;
}

/** How a source is connected that needs no consent page: by what a person types. */
export interface SettingsConnection<S extends object = object> {
  /**
   * The form of what is given; a request that does not fit it is refused, naming the field, before `verify` is called. A
   * strict object of texts, numbers, switches and lists of texts. The API's description shows it.
   */
  readonly schema: z.ZodObject & z.ZodType<S>;
  /** Fields that are secrets: they are never shown again, and may be left out when a scout is reconnected. */
  readonly secrets: readonly string[];
  /**
   * Reaches the source with settings that are kept nowhere yet and says what a scout would see. MUST NOT change anything
   * at the source. `own` is there when a scout that exists is reconnected: with the same, refs stay the same.
   *
   * @throws source_credentials_refused (user or secret), source_address_refused, `source_*`: then nothing is kept
   */
  verify(scout: ScoutAtSource, settings: Transient<KeptSettings<S>>): Promise<Verified>;
}

export interface Watch {
  readonly expiresAtMs: number;
}

/** What one call of a connector costs at most, in the source's own units. */
export interface OperationCosts {
  /** One page of {@link SourceConnector.listNew}. */
  readonly list: number;
  /** One item, with or without its content. */
  readonly read: number;
  readonly watch: number;
  /** Putting one item away, with all that is looked at before. */
  readonly archive: number;
}

/** What a source allows one mailbox in a minute, by all scouts on it together. */
export interface SourceLimits {
  readonly unitsPerMinute: number;
  readonly costs: OperationCosts;
}

/**
 * The one outward action: putting an item away at its source, and taking it back. MUST look at the item again
 * immediately before and leave it when its state is another than `state` or something speaks for keeping it.
 */
export interface Archive {
  /**
   * Whether the person has granted what this needs.
   *
   * @throws source_lacks_move, source_lacks_trash where no grant would help; `source_*`
   */
  granted(scout: ScoutAtSource): Promise<boolean>;
  /** `there` when somebody has put it away before us. @throws item_gone, `source_*` */
  archive(scout: ScoutAtSource, ref: ItemRef, state: string): Promise<"archived" | "there" | KeptReason>;
  /** Takes an item back; one that is not put away is left as it is. @throws item_gone, consent_incomplete, `source_*` */
  restore(scout: ScoutAtSource, ref: ItemRef): Promise<void>;
}

/**
 * A source of items. MUST NOT keep content anywhere; MUST throw ScoutsError with a `source_*`, `item_*` or `reauth` code
 * and nothing else; refs and positions MUST NOT carry content (a source whose ids do uses an HMAC).
 */
export interface SourceConnector {
  readonly sourceType: string;
  /** Absent: the source sets no limit that is worth counting. */
  readonly limits?: SourceLimits;
  /** One page of what is new since `position`. Repeating a call with the same position MUST give at least the same refs. */
  listNew(scout: ScoutAtSource, position: Position): Promise<Listing>;
  /** @throws item_gone when the source does not have it any more. */
  fetchMetadata(scout: ScoutAtSource, ref: ItemRef): Promise<ItemMetadata>;
  /** The same for many in one request, where the source can: in the order asked for, each with its own failure. */
  fetchMetadataMany?(scout: ScoutAtSource, refs: readonly ItemRef[]): Promise<readonly (ItemMetadata | ScoutsError)[]>;
  /**
   * @param reading how its text is read: in words, as whoever judges it takes it, unless told
   * @throws item_gone, item_unreadable
   */
  fetchContent(scout: ScoutAtSource, ref: ItemRef, reading?: Reading): Promise<ItemContent>;
  /**
   * Refs that stood for less of the same item, as they were told before it was whole: the source has none of them any more. Absent
   * where items are whole from the first.
   */
  formerRefs?(ref: ItemRef): readonly ItemRef[];
  /** Absent where a consent is needed. Settings that are kept are opened with `SettingsVault` (settings-vault.ts). */
  readonly settings?: SettingsConnection;
  /** Reaches the source of a connected scout and says what is seen there. MUST NOT change anything. @throws `source_*` */
  sees(scout: ScoutAtSource): Promise<Sees>;
  /** The position of a scout that has just been connected: from now on. */
  currentCursor(scout: ScoutAtSource): Promise<string>;
  /** Set by a source that tells nobody anything: its scouts are polled, which happens anyway, and it has no watches. */
  readonly pollOnly?: true;
  /**
   * Asks the source to tell us about news. Idempotent: asking again prolongs. `undefined` from a source that is polled
   * only. A failure whose `data` has no `status` MAY have happened at the source all the same.
   */
  setupWatch(scout: ScoutAtSource): Promise<Watch | undefined>;
  /** Ends the watch of the scout's address, whichever scout has set it up; one that is not there is ended already. */
  stopWatch(scout: ScoutAtSource): Promise<void>;
  /**
   * Ends what is kept going for a scout besides its looks, which have stopped: a connection that somebody holds open, say. It is
   * a courtesy: MUST NOT be what anything depends on, MAY be called again.
   */
  letGo?(scout: ScoutAtSource): Promise<void>;
  /** Absent where items cannot be put away. */
  readonly archive?: Archive;
}

/** Connectors by source type: the one list that names them all is written where functions are composed. */
export type ConnectorRegistry = ReadonlyMap<string, SourceConnector>;
