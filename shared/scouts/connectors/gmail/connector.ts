import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import type { ItemRef } from "../../../../events/ids.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Transient } from "../../../privacy/transient.ts";
import type { Reading } from "../../triage/readable-text.ts";
import type {
  Archive,
  ItemContent,
  ItemMetadata,
  Listing,
  Position,
  ScoutAtSource,
  Sees,
  SourceConnector,
  SourceLimits,
  Watch,
} from "../connector.ts";
import { formerRefs } from "../mail/grown-message.ts";
import { seen } from "../metadata.ts";
import type { GmailClient } from "./client.ts";
import { listNew } from "./listing.ts";
import { contentOf, metadataFields, metadataOf } from "./message.ts";
import { writeCursor } from "./position.ts";
import { filesRead } from "./reading/files-read.ts";
import { GatheredReads } from "./reading/gathered-reads.ts";

/**
 * Quota units since 2026-05-01 (Gmail API usage limits): messages.get 20, trash 20, list 5, modify 5, history.list 2,
 * watch 100, stop 50, getProfile 1; 6,000 a minute for a user. A page costs at most a lost history, the profile and a
 * search; a watch at most the stopping of another. A file that is read with its mail costs 20 more, which is not reckoned with:
 * hardly any mail has one, and what goes over is refused by Google and waits. The project's 1,200,000 a minute are a ceiling for
 * deployments: 200 mailboxes at their limit at once; beyond, Google's 403 makes each wait, and more is granted on request.
 */
export const gmailLimits: SourceLimits = {
  unitsPerMinute: 6_000,
  costs: { list: 8, read: 20, watch: 150, archive: 65 },
};

type HowToRead = Pick<gmail_v1.Params$Resource$Users$Messages$Get, "format" | "fields">;

/** Gmail as a source: history for news, `messages.get` for reading, `users.watch` for being told. */
export class GmailConnector implements SourceConnector {
  readonly sourceType = "gmail";
  readonly limits: SourceLimits;
  readonly archive?: Archive;
  readonly #client: GmailClient;
  readonly #topic: string;
  readonly #clock: Clock;
  readonly #content: GatheredReads;

  constructor(client: GmailClient, topic: string, clock: Clock, archive?: Archive, limits = gmailLimits) {
    this.limits = limits;
    if (archive) this.archive = archive;
    this.#client = client;
    this.#content = new GatheredReads(
      (scout, ref) => this.#read(scout, ref, { format: "full" }),
      (scout, refs) => client.getMany(scout, refs, "content"),
    );
    this.#topic = topic;
    this.#clock = clock;
  }

  listNew(scout: ScoutAtSource, position: Position): Promise<Listing> {
    return listNew(this.#client, this.#clock, scout, position);
  }

  formerRefs(ref: ItemRef): readonly ItemRef[] {
    return formerRefs(ref);
  }

  async fetchMetadata(scout: ScoutAtSource, ref: ItemRef): Promise<ItemMetadata> {
    return metadataOf(await this.#read(scout, ref, { format: "full", fields: metadataFields }), this.#client.webUrl);
  }

  async fetchMetadataMany(scout: ScoutAtSource, refs: readonly ItemRef[]): Promise<(ItemMetadata | ScoutsError)[]> {
    const answers = await this.#client.getMany(scout, refs, "metadata");
    return answers.map((answer) => (answer instanceof ScoutsError ? answer : metadataOf(answer, this.#client.webUrl)));
  }

  /** What is asked for in one turn (a batch of the queue, a frame of a device) is read with one request. */
  async fetchContent(scout: ScoutAtSource, ref: ItemRef, reading?: Reading): Promise<ItemContent> {
    const message = await this.#content.read(scout, ref);
    const files = await filesRead(this.#client, scout, ref, message.payload ?? undefined);
    return contentOf(message, this.#client.webUrl, files, reading);
  }

  /** What is no message at all is the source's fault: without labels it would count as gone, and nobody would see it. */
  async #read(scout: ScoutAtSource, ref: ItemRef, how: HowToRead): Promise<gmail_v1.Schema$Message> {
    const message = await this.#client.call(scout, (users) => users.messages.get({ userId: "me", id: ref, ...how }));
    if (!message.id) throw new ScoutsError("source_unavailable", { data: { ref } });
    return message;
  }

  async currentCursor(scout: ScoutAtSource): Promise<string> {
    const completeAtSeconds = Math.floor(this.#clock() / 1000);
    const { historyId } = await this.#client.call(scout, (users) => users.getProfile({ userId: "me" }));
    if (!historyId) throw new ScoutsError("source_unavailable");
    return writeCursor({ historyId, completeAtSeconds, recovered: false });
  }

  async sees(scout: ScoutAtSource): Promise<Sees> {
    const { emailAddress } = await this.#client.call(scout, (users) => users.getProfile({ userId: "me" }));
    if (!emailAddress) throw new ScoutsError("source_unavailable");
    const inbox = await this.#client.call(scout, (users) => users.labels.get({ userId: "me", id: "INBOX" }));
    const { messagesTotal: items, messagesUnread: unread } = inbox;
    return seen(emailAddress, {
      folders: ["INBOX"],
      ...(typeof items === "number" && { items }),
      ...(typeof unread === "number" && { unread }),
    });
  }

  async setupWatch(scout: ScoutAtSource): Promise<Watch> {
    const requestBody = { topicName: this.#topic, labelIds: ["INBOX"], labelFilterBehavior: "include" };
    const ask = () => this.#client.call(scout, (users) => users.watch({ userId: "me", requestBody }));
    const watch = await ask().catch(async (error: unknown) => {
      if (!isScoutsError(error, "source_watch_taken")) throw error;
      await this.stopWatch(scout);
      return ask();
    });
    const expiresAtMs = Number(watch.expiration ?? Number.NaN);
    if (Number.isNaN(expiresAtMs)) throw new ScoutsError("source_unavailable");
    return { expiresAtMs };
  }

  async stopWatch(scout: ScoutAtSource): Promise<void> {
    try {
      await this.#client.call(scout, (users) => users.stop({ userId: "me" }));
    } catch (error) {
      if (!isScoutsError(error, "item_gone")) throw error;
    }
  }

  /** The address of the mailbox a consent was given for. */
  async address(scout: ScoutAtSource, token: Transient<string>): Promise<string> {
    const profile = await this.#client.with(token).call(scout, (users) => users.getProfile({ userId: "me" }));
    if (!profile.emailAddress) throw new ScoutsError("source_unavailable");
    return profile.emailAddress;
  }
}
