import type { IncomingHttpHeaders } from "node:http";
import { ScoutsError } from "../../../events/errors.ts";
import type { ItemRef } from "../../../events/ids.ts";
import type { KeptSettings } from "../../../shared/scouts/connectors/connector.ts";
import { markerOf, nowKnown, readPosition, writePosition } from "../../../shared/scouts/connectors/feed/position.ts";
import { type FeedAccess, refOf } from "../../../shared/scouts/connectors/feed/settings.ts";
import type { GuardedAnswer, GuardedGetOptions } from "../../../shared/scouts/connectors/guarded-get.ts";
import { canary, inInbox, type SimulatedMail, SimulatedMailbox } from "../mailbox.ts";
import type { Process } from "../process.ts";
import type { SeededRandom } from "../random.ts";
import type { Simulation } from "../simulation.ts";
import { refKeyOf } from "./ref-key.ts";

/** A feed: what is in it now, as RSS, and a server that vanishes for a while, changes nothing, or breaks off. */
export class SimulatedFeed extends SimulatedMailbox {
  override readonly sourceType = "feed";
  override readonly hasWatch = false;
  readonly #refs = new Map<string, ItemRef>();
  /** What its server says to everybody while it is away. */
  #away: 404 | 503 | undefined;

  override refOf(scoutId: string, mail: SimulatedMail): ItemRef {
    const name = `${scoutId} ${mail.id}`;
    const known = this.#refs.get(name) ?? refOf(this.#access(scoutId), `id ${mail.id}`);
    this.#refs.set(name, known);
    return known;
  }

  override cursorNow(scoutId: string, nowMs: number): string {
    const refs = this.mails.filter(inInbox).map((mail) => this.refOf(scoutId, mail));
    return writePosition({ known: nowKnown(new Set(), refs), readAtSeconds: Math.floor(nowMs / 1000) });
  }

  override hasListed(scoutId: string, cursor: string): (mail: SimulatedMail) => boolean {
    const { known } = readPosition(cursor);
    return (mail) => known.has(markerOf(this.refOf(scoutId, mail)));
  }

  override settingsOf(scoutId: string): KeptSettings<object> {
    const { url, refKey } = this.#access(scoutId);
    return { given: { url }, own: { refKey, at: "internet" } };
  }

  vanish(random: SeededRandom): void {
    this.#away = random.pick([404, 503]);
  }

  comeBack(): void {
    this.#away = undefined;
  }

  /** One GET, as `guardedGet` answers it. */
  get(sim: Simulation, process: Process, { headers, nowMs }: GuardedGetOptions): Promise<GuardedAnswer> {
    return process.call(`feed ${this.address}`, () => this.#answer(sim, headers["if-none-match"], nowMs));
  }

  #answer({ faults, random }: Simulation, known: string | undefined, nowMs: number): GuardedAnswer {
    if (faults.strikes("feed_network")) throw new ScoutsError("source_unavailable");
    if (this.#away !== undefined) return failed(this.#away);
    if (faults.strikes("feed_refuses")) return failed(random.pick([429, 500, 503]), random.pick([1_000, 600_000]));
    const items = this.mails.filter(inInbox);
    const etag = `"${items.length}-${items.at(-1)?.id ?? ""}-${this.historyId}"`;
    if (known === etag) return { ...failed(304), headers: { etag } };
    const body = Buffer.from(rss(this.address, items, nowMs));
    const headers: IncomingHttpHeaders = { "content-type": "application/rss+xml", etag };
    const end = faults.strikes("feed_breaks_off") ? random.int(0, body.length) : body.length;
    const { url } = this.#at;
    return { status: 200, headers, body: body.subarray(0, end), isPublic: true, url, permanentUrl: url };
  }

  #access(scoutId: string): FeedAccess {
    return { ...this.#at, refKey: refKeyOf(scoutId), isPublic: true };
  }

  get #at() {
    return { url: `https://${this.address}/feed` };
  }
}

const failed = (status: number, retryAfterMs?: number): GuardedAnswer => ({
  status,
  headers: {},
  body: Buffer.alloc(0),
  url: "",
  permanentUrl: "",
  isPublic: true,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

function rss(address: string, items: readonly SimulatedMail[], nowMs: number): string {
  const written = items.map((mail) => {
    const more = mail.isOversize ? ` ${"far too long ".repeat(12_000)}` : "";
    return [
      `<item><guid>${mail.id}</guid><title>${canary} mail=${mail.id} of ${address}${more}</title>`,
      `<author>${canary} of ${address}</author><link>https://${address}/${mail.id}/${canary}</link>`,
      `<pubDate>${new Date(Math.min(mail.receivedAtMs, nowMs)).toUTCString()}</pubDate>`,
      `<description>${canary} text of ${address}. </description></item>`,
    ].join("");
  });
  return `<rss version="2.0"><channel><title>${canary} ${address}</title>${written.join("")}</channel></rss>`;
}
