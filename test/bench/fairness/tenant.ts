import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { liftCaps } from "../../../cli/up/own-tier.ts";
import type { LocalSystem } from "../../../cli/up/system.ts";
import { askCloud, type CloudApi } from "../../../device/connect/cloud-api.ts";
import { scoutResponse } from "../../../events/http/scouts.ts";
import type { ScoutId, UserId } from "../../../events/ids.ts";
import { type Feeds, startFeeds } from "../../../infra/standins/feeds/start.ts";
import { DynamoTable } from "../../../shared/aws/dynamo-table.ts";
import { ledgerKey, ledgerPrefix } from "../../../shared/keys.ts";
import { systemRetries } from "../../../shared/ports/clock.ts";
import type { Item } from "../../../shared/ports/table.ts";
import { userIdOf } from "../../../shared/privacy/opaque.ts";
import { parseItemRow } from "../../../shared/scouts/items/item-row.ts";

/** One look at a feed finds so many (shared/scouts/connectors/feed/listing.ts). */
const itemsPerFeed = 1000;

interface Followed {
  readonly feed: Feeds;
  readonly scoutId: ScoutId;
}

/** One person of the home with feeds of their own and a scout on each, nothing rationed. */
export class Tenant {
  readonly #api: CloudApi;
  readonly #user: UserId;
  readonly #client: DynamoDBClient;
  readonly #ledger: DynamoTable;
  readonly #followed: Followed[] = [];
  #published = 0;

  private constructor({ home, world }: LocalSystem, subject: string) {
    this.#api = { apiUrl: home.apiUrl, auth: () => world.issuer.token(subject) };
    this.#user = userIdOf(world.issuer.url, subject);
    const { region, credentials, endpoints } = home.operator;
    this.#client = new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb });
    this.#ledger = new DynamoTable(home.graph.tables["Ledger"]?.tableName ?? "", systemRetries, this.#client);
  }

  /** @param items as many as will be published at once: decides how many feeds they are spread over */
  static async join(system: LocalSystem, subject: string, items: number): Promise<Tenant> {
    const tenant = new Tenant(system, subject);
    await liftCaps(system.home, tenant.#user);
    for (let begun = 0; begun < items; begun += itemsPerFeed) await tenant.#follow(tenant.#followed.length + 1);
    return tenant;
  }

  /** What is in a feed when its scout is made is no news, so it is made on an empty one. */
  async #follow(number: number): Promise<void> {
    const feed = await startFeeds();
    const settings = { url: feed.feedUrl("/atom.xml") };
    const scout = { sourceType: "feed", settings, name: `News ${number}`, purpose: "What do people want from me?" };
    const { id: scoutId } = await askCloud(this.#api, "POST", "/api/v1/scouts", scoutResponse, scout);
    this.#followed.push({ feed, scoutId });
  }

  /** Items published so far: as many verdicts there will be. */
  get published(): number {
    return this.#published;
  }

  publish(items: number): void {
    for (let count = 0; count < items; count += 1) {
      const into = this.#followed[Math.floor((count * this.#followed.length) / items)];
      const number = this.#published++;
      into?.feed.publish({
        guid: `item-${number}`,
        title: `Question ${number} on the draft`,
        html: `<p>I read chapter ${number % 40}. Could you tell me by Friday whether we keep the date?</p>`,
      });
    }
  }

  /** Asks for a sync of every scout. @returns `Date.now()` of the first request */
  async sync(): Promise<number> {
    const askedAtMs = Date.now();
    for (const { scoutId } of this.#followed) {
      await askCloud(this.#api, "POST", `/api/v1/scouts/${scoutId}/run`, z.unknown());
    }
    return askedAtMs;
  }

  /** When each of the tenant's items was judged, in `Date.now()` milliseconds, earliest first. */
  async judgedAtMs(): Promise<number[]> {
    const times: number[] = [];
    let start: Item | undefined;
    do {
      const page = await this.#ledger.query({
        hash: ledgerKey.user(this.#user).pk,
        prefix: ledgerPrefix.items,
        consistent: true,
        ...(start ? { start } : {}),
      });
      for (const item of page.items) {
        const { triagedAt } = parseItemRow(item);
        if (triagedAt !== undefined) times.push(triagedAt);
      }
      start = page.next;
    } while (start);
    return times.sort((a, b) => a - b);
  }

  async leave(): Promise<void> {
    this.#client.destroy();
    for (const { feed } of this.#followed) await feed.close();
  }
}
