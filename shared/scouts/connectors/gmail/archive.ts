import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import { addressParser } from "postal-mime";
import type { ItemRef } from "../../../../events/ids.ts";
import type { KeptReason } from "../../../../events/proposals/verdict.ts";
import type { Archive, ScoutAtSource } from "../connector.ts";
import type { GmailClient } from "./client.ts";
import { header, stateOf } from "./message.ts";
import { modifyScope } from "./oauth.ts";

/** What of an access the archive asks for; see {@link GmailCredentials}. */
export interface GrantedScopes {
  scopes(scout: ScoutAtSource): Promise<readonly string[]>;
}

/** Labels that say a message matters to somebody. */
const protecting: readonly (readonly [label: string, reason: KeptReason])[] = [
  ["STARRED", "starred"],
  ["IMPORTANT", "important"],
];
/** An address as it may stand in a search: nothing in it can end the word or begin an operator. */
const searchable = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,190}$/;

/**
 * Gmail's Trash. Trash and restore are `messages.trash` and `messages.untrash`, the calls whose meaning is documented;
 * `untrash` does not promise the inbox, so that label is put back by `modify`, before it.
 */
export class GmailArchive implements Archive {
  readonly #client: GmailClient;
  readonly #access: GrantedScopes;

  constructor(client: GmailClient, access: GrantedScopes) {
    this.#client = client;
    this.#access = access;
  }

  async granted(scout: ScoutAtSource): Promise<boolean> {
    return (await this.#access.scopes(scout)).includes(modifyScope);
  }

  /**
   * The labels are read last, so that only an instant is left in which they can change unseen; and what the call itself
   * answers is looked at too, which closes that instant:
   *
   *   we      read: unchanged ─────────── trash ─ answer: STARRED as well ─ untrash, back into the inbox
   *   person                    stars it
   */
  async archive(scout: ScoutAtSource, ref: ItemRef, state: string): Promise<"archived" | "there" | KeptReason> {
    const headed = await this.#read(scout, ref, "metadata");
    const early = decide(headed, state);
    if (early !== "go") return early;
    const known = await this.#correspondent(scout, header(headed, "from"));
    if (known !== undefined) return known;
    const fresh = await this.#read(scout, ref, "minimal");
    const late = decide(fresh, state);
    if (late !== "go") return late;
    const trashed = await this.#client.call(scout, (users) => users.messages.trash({ userId: "me", id: ref }));
    const before = new Set([...(fresh.labelIds ?? []), "TRASH"]);
    if ((trashed.labelIds ?? []).every((label) => before.has(label))) return "archived";
    await this.restore(scout, ref);
    return "changed";
  }

  async restore(scout: ScoutAtSource, ref: ItemRef): Promise<void> {
    const { labelIds } = await this.#read(scout, ref, "minimal");
    if (!labelIds?.includes("TRASH")) return;
    const requestBody = { addLabelIds: ["INBOX"] };
    // The inbox first: where the second call fails the message is still in Trash, and whoever asks again does both.
    await this.#client.call(scout, (users) => users.messages.modify({ userId: "me", id: ref, requestBody }));
    await this.#client.call(scout, (users) => users.messages.untrash({ userId: "me", id: ref }));
  }

  #read(scout: ScoutAtSource, id: ItemRef, format: "metadata" | "minimal"): Promise<gmail_v1.Schema$Message> {
    const headers = format === "metadata" ? { metadataHeaders: ["From"] } : {};
    return this.#client.call(scout, (users) => users.messages.get({ userId: "me", id, format, ...headers }));
  }

  /** Whether the mailbox's owner has ever written to a sender. Who cannot be looked up counts as known. */
  async #correspondent(scout: ScoutAtSource, from: string): Promise<KeptReason | undefined> {
    const addresses = addressParser(from).flatMap((each) => each.group ?? [each]);
    if (addresses.length === 0 || !addresses.every(({ address }) => searchable.test(address))) return "sender_unknown";
    for (const { address } of addresses) {
      const q = `in:sent to:${address}`;
      const sent = await this.#client.call(scout, (users) => users.messages.list({ userId: "me", q, maxResults: 1 }));
      if ((sent.messages ?? []).length > 0) return "correspondent";
    }
    return undefined;
  }
}

function decide(message: gmail_v1.Schema$Message, state: string): "go" | "there" | KeptReason {
  const labels = message.labelIds ?? [];
  if (labels.includes("TRASH")) return "there";
  const reason = protecting.find(([label]) => labels.includes(label))?.[1];
  if (reason !== undefined) return reason;
  return stateOf(message) === state ? "go" : "changed";
}
