import type { ImapFlow } from "imapflow";
import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import type { ItemRef } from "../../../../events/ids.ts";
import { type After, type Clock, systemAfter } from "../../../ports/clock.ts";
import { Transient } from "../../../privacy/transient.ts";
import type { Reading } from "../../triage/readable-text.ts";
import type {
  Archive,
  ItemContent,
  ItemMetadata,
  KeptSettings,
  Listing,
  Position,
  ScoutAtSource,
  Sees,
  SettingsConnection,
  SourceConnector,
  SourceLimits,
  Verified,
} from "../connector.ts";
import { FoldersUnknown } from "../folders-unknown.ts";
import { seen } from "../metadata.ts";
import type { SettingsVault } from "../settings-vault.ts";
import { ImapArchive } from "./archive.ts";
import { Connections } from "./connections.ts";
import { imapFailure } from "./failures.ts";
import { folderIfThere } from "./folders.ts";
import { AccessTokens } from "./grant/access-tokens.ts";
import type { GrantVault } from "./grant/grant-vault.ts";
import { imapLimits, maxSnippetBytes, maxTextBytes, taskTimeoutMs } from "./limits.ts";
import type { Listener } from "./listener.ts";
import { cursorNow, isTooLarge, listNew } from "./listing.ts";
import { locate, type Search, type Sighting } from "./locate.ts";
import { type Credential, type Dial, type OpenSession, openSession } from "./session.ts";
import {
  accessOf,
  type ImapAccess,
  type ImapSettings,
  identitiesOf,
  imapSecrets,
  imapSettings,
  isGrantKept,
  ownOf,
} from "./settings.ts";

export interface ImapPorts {
  readonly settings: SettingsVault;
  readonly grants: GrantVault;
  readonly clock: Clock;
  readonly dial: Dial;
  readonly limits?: SourceLimits;
  /** Longest that one task may take. */
  readonly taskTimeoutMs?: number;
  /** Who hears of news between two looks, where somebody can. */
  readonly listener?: Pick<Listener, "ask" | "end">;
  /** {@link openSession} unless told. */
  readonly open?: OpenSession;
  /** The process's own timers unless told. */
  readonly after?: After;
}

/** Places of messages that are remembered: some pages of a listing. */
const maxSightings = 20_000;

/** Loaded with the first message that is read: its tables of charsets are half a megabyte. */
const messageReader = () => import("./message/read-message.ts");

/**
 * A mailbox at any IMAP server (RFC 9051, RFC 3501): polled by UID, read in bounded parts with `PEEK`. One connection
 * serves a scout's tasks one after the other; {@link close} gives it back.
 */
export class ImapConnector implements SourceConnector {
  readonly sourceType = "imap";
  readonly pollOnly = true;
  readonly limits: SourceLimits;
  readonly settings: SettingsConnection<ImapSettings>;
  readonly archive: Archive;
  readonly #ports: ImapPorts;
  readonly #connections: Connections;
  readonly #tokens: AccessTokens;
  readonly #sightings = new Map<string, Sighting>();

  readonly #taskMs = () => this.#ports.taskTimeoutMs ?? taskTimeoutMs;

  constructor(ports: ImapPorts) {
    this.#ports = ports;
    this.limits = ports.limits ?? imapLimits;
    this.#connections = this.#newConnections();
    const { grants: vault, clock, dial, after = systemAfter } = ports;
    this.#tokens = new AccessTokens({ vault, clock, after, dial });
    this.archive = new ImapArchive((scout, task) => this.#onMailbox(scout, task));
    this.settings = {
      schema: imapSettings,
      secrets: imapSecrets,
      verify: (scout, settings) => this.#verify(scout, settings),
    };
  }

  /** Gives every connection back. */
  close(): Promise<void> {
    return this.#connections.close();
  }

  async sees(scout: ScoutAtSource): Promise<Sees> {
    return this.#onMailbox(scout, (search) => this.#look(search));
  }

  currentCursor(scout: ScoutAtSource): Promise<string> {
    return this.#onMailbox(scout, ({ client, access }) => cursorNow({ client, access, nowMs: this.#ports.clock() }));
  }

  /** Whoever can listen to the server is asked to from where this look ends. */
  listNew(scout: ScoutAtSource, position: Position): Promise<Listing> {
    return this.#onMailbox(scout, async (search) => {
      const listing = await listNew({ ...search, nowMs: this.#ports.clock() }, position);
      if (listing.nextPage === undefined) {
        await this.#ports.listener?.ask(scout, search.access, await this.#credential(scout, search.access));
      }
      return listing;
    });
  }

  fetchMetadata(scout: ScoutAtSource, ref: ItemRef): Promise<ItemMetadata> {
    return this.#read(scout, ref, maxSnippetBytes);
  }

  /** One after the other on one connection. */
  async fetchMetadataMany(scout: ScoutAtSource, refs: readonly ItemRef[]): Promise<(ItemMetadata | ScoutsError)[]> {
    const read: (ItemMetadata | ScoutsError)[] = [];
    for (const ref of refs) read.push(await this.fetchMetadata(scout, ref).catch(imapFailure));
    return read;
  }

  fetchContent(scout: ScoutAtSource, ref: ItemRef, reading?: Reading): Promise<ItemContent> {
    return this.#read(scout, ref, maxTextBytes, reading);
  }

  /** Servers tell of news on a connection that stays open, which nothing in the cloud does. */
  async setupWatch(): Promise<undefined> {}

  async stopWatch(): Promise<void> {}

  /** Nobody listens for it any more. */
  async letGo(scout: ScoutAtSource): Promise<void> {
    await this.#ports.listener?.end(scout);
  }

  async #verify(scout: ScoutAtSource, settings: Transient<KeptSettings<ImapSettings>>): Promise<Verified> {
    const kept = settings.reveal();
    const access = accessOf(kept);
    // A connection of its own: what is tried out here has nothing to do with the one that is kept.
    const once = this.#newConnections();
    try {
      const isNewGrant = access.password === undefined && !isGrantKept(kept);
      const grant = isNewGrant ? (await this.#tokens.first(scout, access)).refreshToken : access.refreshToken;
      const granted = grant === undefined ? access : { ...access, refreshToken: grant };
      return await once.use(
        scout.scoutId,
        () => this.#open(scout, granted),
        async (client) => {
          const sees = await this.#look({ client, access });
          if (sees.missing.reveal().length > 0) throw new FoldersUnknown(sees.missing);
          const cursor = await cursorNow({ client, access, nowMs: this.#ports.clock() });
          const [identity, ...others] = identitiesOf(access);
          // Whoever listens does so with what it was before; the look that follows asks anew.
          if (kept.own) await this.letGo(scout);
          const own = new Transient(ownOf(access, kept.given, grant));
          return { sees, identity: new Transient(identity), alsoKnownAs: new Transient(others), own, cursor };
        },
      );
    } catch (error) {
      throw refusedCredentials(imapFailure(error));
    } finally {
      await once.close();
    }
  }

  async #look({ client, access }: Pick<Search, "client" | "access">): Promise<Sees> {
    const folders: string[] = [];
    let items = 0;
    let unread = 0;
    for (const path of access.folders) {
      const folder = await folderIfThere(client, path);
      if (!folder) continue;
      const status = await client.status(path, { unseen: true });
      folders.push(path);
      items += folder.count;
      unread += (status ? status.unseen : undefined) ?? 0;
    }
    const missing = access.folders.filter((path) => !folders.includes(path));
    return seen(`${access.user} (${access.host})`, { folders, missing, items, unread });
  }

  async #read(scout: ScoutAtSource, ref: ItemRef, maxBytes: number, reading?: Reading): Promise<ItemContent> {
    return this.#onMailbox(scout, async (search) => {
      const found = await locate(search, ref, search.access.folders, this.#sightings.get(nameOf(scout, ref)));
      if (!found) throw new ScoutsError("item_gone", { data: { ref } });
      this.#note(scout, ref, found);
      const { client, access, bounded } = search;
      const { readMessage } = await messageReader();
      return readMessage({ client, access, nowMs: this.#ports.clock(), maxBytes, bounded }, found.uid, reading);
    });
  }

  /** Runs a task; once more, with less of each message, when a server answered more than a response may hold. */
  async #onMailbox<T>(scout: ScoutAtSource, task: (search: Search) => Promise<T>): Promise<T> {
    const access = accessOf((await this.#ports.settings.open(scout, imapSettings)).reveal());
    const run = (bounded: boolean) =>
      this.#connections.use(
        scout.scoutId,
        () => this.#open(scout, access),
        (client) => task({ client, access, bounded, note: (ref, at) => this.#note(scout, ref, at) }),
      );
    return run(false).catch((error: unknown) => {
      if (isTooLarge(error)) return run(true);
      throw error;
    });
  }

  async #open(scout: ScoutAtSource, access: ImapAccess): Promise<ImapFlow> {
    const { dial, open = openSession } = this.#ports;
    const credential = await this.#credential(scout, access);
    try {
      return await open(access, credential, dial);
    } catch (error) {
      if ("pass" in credential || !isScoutsError(error, "reauth")) throw error;
      // It may have been taken back before its time: a fresh one says whether the grant is gone.
      this.#tokens.refused(scout);
      return open(access, await this.#credential(scout, access), dial);
    }
  }

  async #credential(scout: ScoutAtSource, access: ImapAccess): Promise<Credential> {
    if (access.password !== undefined) return { pass: access.password };
    return { accessToken: (await this.#tokens.token(scout, access)).reveal() };
  }

  #newConnections(): Connections {
    return new Connections(this.#ports.after ?? systemAfter, this.#taskMs);
  }

  #note(scout: ScoutAtSource, ref: ItemRef, at: Sighting): void {
    const name = nameOf(scout, ref);
    this.#sightings.delete(name);
    this.#sightings.set(name, at);
    const [oldest] = this.#sightings.size > maxSightings ? this.#sightings.keys() : [];
    if (oldest !== undefined) this.#sightings.delete(oldest);
  }
}

const nameOf = ({ scoutId }: ScoutAtSource, ref: ItemRef): string => `${scoutId} ${ref}`;

/** While a person is typing settings in, nothing has been withdrawn yet. */
const refusedCredentials = (failure: ScoutsError): ScoutsError =>
  failure.code === "reauth" ? new ScoutsError("source_credentials_refused", { cause: failure }) : failure;
