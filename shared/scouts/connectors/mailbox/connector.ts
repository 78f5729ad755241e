import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import type { ItemRef } from "../../../../events/ids.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Transient } from "../../../privacy/transient.ts";
import type { Reading } from "../../triage/readable-text.ts";
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
  Watch,
} from "../connector.ts";
import { GmailClient } from "../gmail/client.ts";
import { GmailConnector } from "../gmail/connector.ts";
import { formerRefs } from "../mail/grown-message.ts";
import { seen } from "../metadata.ts";
import type { SettingsVault } from "../settings-vault.ts";
import { isWrongPath, type MailboxServer, type OpenedMailbox } from "./server.ts";
import { type MailboxSettings, mailboxSettings } from "./settings.ts";

/** What the protocol asks a watch to name; nothing is published there. */
const topic = "projects/local/topics/mailbox";

type ClientAt = (opened: OpenedMailbox) => GmailClient;

/**
 * Mail in files on the machine of the home, which a program there serves by Gmail's protocol: what is listed and read is
 * Gmail's. It is read where it lies, so nothing is put away.
 */
export class MailboxConnector implements SourceConnector {
  readonly sourceType = "mailbox";
  readonly settings: SettingsConnection<MailboxSettings>;
  readonly #server: MailboxServer;
  readonly #kept: SettingsVault;
  readonly #clock: Clock;
  readonly #clientAt: ClientAt | undefined;
  /** By scout. One connector for all calls: what is asked for together goes together. */
  readonly #open = new Map<string, Promise<GmailConnector>>();

  /** @param clientAt who speaks Gmail's protocol with a mailbox that is open; over HTTP unless told */
  constructor(server: MailboxServer, kept: SettingsVault, clock: Clock, clientAt?: ClientAt) {
    this.#server = server;
    this.#kept = kept;
    this.#clock = clock;
    this.#clientAt = clientAt;
    const verify = (scout: ScoutAtSource, settings: Transient<KeptSettings<MailboxSettings>>) =>
      this.#verify(scout, settings.map(pathOf));
    this.settings = { schema: mailboxSettings, secrets: [], verify };
  }

  /** A path that has vanished shows here: a mailbox that is open is asked for mail without a look at its place. */
  async listNew(scout: ScoutAtSource, position: Position): Promise<Listing> {
    this.#open.delete(scout.scoutId);
    return this.#at(scout, (gmail) => gmail.listNew(scout, position));
  }

  formerRefs(ref: ItemRef): readonly ItemRef[] {
    return formerRefs(ref);
  }

  async fetchMetadata(scout: ScoutAtSource, ref: ItemRef): Promise<ItemMetadata> {
    return this.#at(scout, (gmail) => gmail.fetchMetadata(scout, ref));
  }

  async fetchMetadataMany(scout: ScoutAtSource, refs: readonly ItemRef[]): Promise<(ItemMetadata | ScoutsError)[]> {
    return this.#at(scout, (gmail) => gmail.fetchMetadataMany(scout, refs));
  }

  async fetchContent(scout: ScoutAtSource, ref: ItemRef, reading?: Reading): Promise<ItemContent> {
    return this.#at(scout, (gmail) => gmail.fetchContent(scout, ref, reading));
  }

  currentCursor(scout: ScoutAtSource): Promise<string> {
    return this.#at(scout, (gmail) => gmail.currentCursor(scout));
  }

  async sees(scout: ScoutAtSource): Promise<Sees> {
    return whatIsSeen(await this.#server.open(await this.#path(scout)));
  }

  async setupWatch(scout: ScoutAtSource): Promise<Watch> {
    await this.#server.watch(await this.#path(scout), scout.scoutId);
    return this.#at(scout, (gmail) => gmail.setupWatch(scout));
  }

  /** Files that are gone announce nothing. */
  async stopWatch(scout: ScoutAtSource): Promise<void> {
    try {
      await this.#server.unwatch(await this.#path(scout));
      await this.#at(scout, (gmail) => gmail.stopWatch(scout));
    } catch (error) {
      if (!isWrongPath(error)) throw error;
    }
  }

  /** With the last scout on it, what the machine keeps of a mailbox goes. */
  async forget(scout: ScoutAtSource): Promise<void> {
    await this.#server.forget(await this.#path(scout));
  }

  async #verify(scout: ScoutAtSource, path: Transient<string>): Promise<Verified> {
    const opened = await this.#server.open(path);
    // Nothing arrives before the watch is set up: whatever is there then is listed from here.
    const cursor = await this.#gmailAt(opened).currentCursor(scout);
    const identity = opened.place.map((place) => `${scout.userId} ${place}`);
    const { account } = opened;
    return { sees: whatIsSeen(opened), identity, ...(account && { account }), cursor };
  }

  /** A mailbox that was closed meanwhile, or whose token has ended, is opened anew by the next call. */
  async #at<T>(scout: ScoutAtSource, ask: (gmail: GmailConnector) => Promise<T>): Promise<T> {
    const { scoutId } = scout;
    const opened = this.#open.get(scoutId) ?? this.#opened(scout);
    this.#open.set(scoutId, opened);
    try {
      return await ask(await opened);
    } catch (error) {
      if (!isScoutsError(error, "item_gone")) this.#open.delete(scoutId);
      throw error;
    }
  }

  async #opened(scout: ScoutAtSource): Promise<GmailConnector> {
    return this.#gmailAt(await this.#server.open(await this.#path(scout)));
  }

  #gmailAt(opened: OpenedMailbox): GmailConnector {
    const { url, token } = opened;
    const refused = async () => {
      throw new ScoutsError("source_unavailable");
    };
    const client =
      this.#clientAt?.(opened) ?? new GmailClient({ accessToken: async () => token, refused }, `${url}/`, this.#clock);
    return new GmailConnector(client, topic, this.#clock);
  }

  async #path(scout: ScoutAtSource): Promise<Transient<string>> {
    return (await this.#kept.open(scout, mailboxSettings)).map(pathOf);
  }
}

const pathOf = ({ given }: KeptSettings<MailboxSettings>): string => given.path;

const whatIsSeen = ({ place, items }: OpenedMailbox): Sees => seen(place.reveal(), { items });
