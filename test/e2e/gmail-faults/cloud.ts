import type { ServerFrame } from "../../../events/frames/frames.ts";
import type { ScoutHealth } from "../../../events/health.ts";
import { type ItemRef, itemRef, scoutId } from "../../../events/ids.ts";
import {
  type SyncCause,
  type SyncMessage,
  syncMessage,
  type TriageMessage,
  triageMessage,
} from "../../../events/queues.ts";
import type { Mailbox } from "../../../infra/standins/mailbox/mailbox.ts";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import type { ChatModel } from "../../../shared/llm/chat-model.ts";
import { systemAfter } from "../../../shared/ports/clock.ts";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { blindAddress, userIdOf } from "../../../shared/privacy/opaque.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import { GmailClient } from "../../../shared/scouts/connectors/gmail/client.ts";
import { GmailConnector } from "../../../shared/scouts/connectors/gmail/connector.ts";
import { GmailCredentials } from "../../../shared/scouts/connectors/gmail/credentials.ts";
import { readCursor } from "../../../shared/scouts/connectors/gmail/position.ts";
import { type ItemRow, parseItemRow } from "../../../shared/scouts/items/item-row.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { SpamStore } from "../../../shared/scouts/items/spam-store.ts";
import { UnjudgedStore } from "../../../shared/scouts/items/unjudged-store.ts";
import { scoutHealth } from "../../../shared/scouts/lifecycle/health.ts";
import { SourceQuota } from "../../../shared/scouts/quota/source-quota.ts";
import { sealProfile } from "../../../shared/scouts/scout-profile.ts";
import type { ScoutRow } from "../../../shared/scouts/scout-row.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { pollDueScouts, requeueDueItems } from "../../../shared/scouts/sync/due.ts";
import { syncScout } from "../../../shared/scouts/sync/sync.ts";
import { syncHint } from "../../../shared/scouts/sync/sync-hint.ts";
import type { TriagePorts } from "../../../shared/scouts/triage/triage.ts";
import { triageBatch } from "../../../shared/scouts/triage/triage-batch.ts";
import { MailboxStore } from "../../../shared/scouts/watch/mailbox-store.ts";
import { closedBreaker } from "../../memory/breaker.ts";
import { newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import { MemoryQueue, type ReceivedMessage } from "../../memory/queue.ts";
import { MemoryTable } from "../../memory/table.ts";
import { message, oauthClient, openMailbox, scope, topicName } from "../../standins/mailbox-fixture.ts";

export const user = userIdOf("https://issuer.example/", "ada");
export const scout = scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEA");
const ring = parseKeyRing(JSON.stringify({ keys: [{ kid: "k", key: Buffer.alloc(32, 9).toString("base64") }] }));
const addressKey = new Uint8Array(32).fill(1);
const minuteMs = 60_000;
const workers = 4;
const usage = { inputTokens: 400, outputTokens: 40 };

/**
 * The engine with the real Gmail connector over the mailbox stand-in, on a clock of its own: tables and queues in memory,
 * a model that finds everything relevant, timers once a minute.
 */
export class Cloud {
  nowMs = Date.UTC(2026, 2, 7, 18);
  readonly mailbox: Mailbox;
  readonly ledger = new MemoryTable({ recent: ["status"] });
  readonly sync: MemoryQueue<SyncMessage>;
  readonly triage: MemoryQueue<TriageMessage>;
  readonly scouts = new ScoutStore(this.ledger);
  readonly frames: ServerFrame[] = [];
  /** A mail whose content takes the worker that reads it, and all it is doing, with it. */
  killer: ItemRef | undefined;
  readonly credentials: GmailCredentials;
  readonly connector: GmailConnector;
  readonly vault = async () => new RingSealer(ring);
  readonly #clock = () => this.nowMs;

  static async open(options: { limits?: { unitsPerUserMinute: number } } = {}): Promise<Cloud> {
    const opening: { cloud?: Cloud } = {};
    const startMs = Date.UTC(2026, 2, 7, 18);
    const mailbox = await openMailbox({ ...options, clock: () => opening.cloud?.nowMs ?? startMs });
    const cloud = new Cloud(mailbox);
    opening.cloud = cloud;
    await cloud.#create();
    return cloud;
  }

  constructor(mailbox: Mailbox) {
    this.mailbox = mailbox;
    this.sync = new MemoryQueue({ visibilityMs: 12 * minuteMs, maxReceives: 5, fifo: true }, this.#clock);
    this.triage = new MemoryQueue({ visibilityMs: 6 * minuteMs, maxReceives: 5 }, this.#clock);
    const oauth = { ...oauthClient, tokenUrl: mailbox.tokenUrl };
    this.credentials = new GmailCredentials(this.ledger, this.vault, oauth, this.#clock, systemAfter);
    const client = new GmailClient(this.credentials, `${mailbox.url}/`, this.#clock);
    this.connector = new GmailConnector(client, topicName, this.#clock);
  }

  async #create(): Promise<void> {
    const of = { userId: user, scoutId: scout };
    const sealed = await sealProfile(new RingSealer(ring), of, { name: "Inbox", purpose: "What matters" });
    await this.scouts.create({ ...of, sourceType: "gmail", sealed, createdAt: this.nowMs, revision: 0 });
    await this.connect();
    // Mail arrives at the stand-in from its first watch on.
    await this.work();
  }

  /** As shared/scouts/connectors/gmail/connect.ts does once the consent is there. */
  async connect(): Promise<void> {
    const { refreshToken, accessToken } = this.mailbox.grant([scope("gmail.readonly")]);
    const row = await this.scouts.get(user, scout);
    await this.credentials.store(row, {
      accessToken: new Transient(accessToken),
      refreshToken: new Transient(refreshToken),
      expiresInSeconds: 3599,
      scopes: [scope("gmail.readonly")],
    });
    const address = blindAddress(addressKey, "ada@example.com");
    await new MailboxStore(this.ledger).add(address, row);
    const cursor = row.cursor ?? (await this.connector.currentCursor(row));
    const { nowMs } = this;
    await this.scouts.connected(row, { address, cursor, dueAtMs: nowMs + 15 * minuteMs, nowMs });
    await this.hint("connected");
  }

  async hint(cause: SyncCause): Promise<void> {
    await this.sync.send([syncHint({ userId: user, scoutId: scout }, cause, `${cause}${this.nowMs}${newId()}`)]);
  }

  /** Mail that has arrived; its refs. */
  deliver(count: number): ItemRef[] {
    return Array.from({ length: count }, (_, n) => itemRef.parse(this.mailbox.deliver(message(`mail ${n}`))));
  }

  /** Everything that can be done now. */
  async work(): Promise<void> {
    for (;;) {
      const hints = this.sync.receive(10);
      const batches = Array.from({ length: workers }, () => this.triage.receive(10)).filter(({ length }) => length > 0);
      if (hints.length === 0 && batches.length === 0) return;
      await Promise.all([this.#syncAll(hints), ...batches.map((batch) => this.#triageAll(batch))]);
    }
  }

  /** Lets time pass, with the timers of each minute, until `done` or for so many minutes. */
  async pass(minutes: number, done: () => boolean = () => false): Promise<void> {
    const untilMs = this.nowMs + minutes * minuteMs;
    await this.work();
    while (this.nowMs < untilMs && !done()) {
      const tickMs = (Math.floor(this.nowMs / minuteMs) + 1) * minuteMs;
      const next = Math.min(...[this.triage, this.sync].map((queue) => queue.nextVisibleAtMs() ?? tickMs), tickMs);
      this.nowMs = Math.max(next, this.nowMs + 1);
      if (this.nowMs === tickMs) await this.#tick();
      await this.work();
    }
  }

  row(): Promise<ScoutRow> {
    return this.scouts.get(user, scout);
  }

  async health(): Promise<ScoutHealth> {
    const connectors = new Map([["gmail", this.connector]]);
    return scoutHealth({ ledger: this.ledger, connectors, clock: this.#clock }, await this.row());
  }

  /** The history id the scout has read to. */
  async cursor(): Promise<bigint> {
    return BigInt(readCursor((await this.row()).cursor ?? "").historyId);
  }

  item(ref: ItemRef): ItemRow | undefined {
    const item = this.ledger.peek(ledgerKey.item(user, scout, ref));
    return item && parseItemRow(item);
  }

  statuses(refs: readonly ItemRef[]): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const ref of refs) {
      const status = this.item(ref)?.status ?? "none";
      counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  }

  async #tick(): Promise<void> {
    const { ledger, scouts, sync, triage } = this;
    const clock = this.#clock;
    await pollDueScouts({ ledger, scouts, sync, clock, newId: () => `poll${this.nowMs}`, log: noLog });
    await requeueDueItems({ ledger, triage, clock, breaker: closedBreaker, items: new ItemStore(ledger), log: noLog });
  }

  #shared() {
    return {
      ledger: this.ledger,
      connectors: new Map([["gmail", this.connector]]),
      notices: {
        toEveryDevice: async (_: unknown, frames: readonly ServerFrame[]) => void this.frames.push(...frames),
      },
      triage: this.triage,
      breaker: closedBreaker,
      clock: this.#clock,
      random: () => 0.5,
      newId,
      log: { event: () => {}, error: () => {} },
    };
  }

  async #syncAll(hints: readonly ReceivedMessage[]): Promise<void> {
    if (hints.length === 0) return;
    const causes = new Set(hints.map(({ body }) => syncMessage.parse(JSON.parse(body)).cause));
    const request = { userId: user, scoutId: scout, causes };
    const outcome = await syncScout({ ...this.#shared(), sync: this.sync }, request, () => 120_000);
    if (outcome.kind !== "retry") for (const { id } of hints) this.sync.delete(id);
  }

  async #triageAll(batch: readonly ReceivedMessage[]): Promise<void> {
    const shared = this.#shared();
    const worker = new MortalWorker();
    const model: ChatModel = {
      complete: ({ schema }) =>
        worker.unlessDead(async () => ({
          value: new Transient(
            schema.parse({ verdict: "relevant", reason: "", reasonCode: "personal", confidence: 0.9 }),
          ),
          usage,
          model: "m",
        })),
    };
    const ports: TriagePorts = {
      ...shared,
      connectors: new Map([["gmail", worker.reading(this.connector, this.killer)]]),
      items: new ItemStore(this.ledger),
      spam: new SpamStore(this.ledger),
      unjudged: new UnjudgedStore(this.ledger),
      scouts: this.scouts,
      model,
      vault: this.vault,
      quota: new SourceQuota(this.ledger, this.#clock, () => 0.5),
      budget: new TokenBudget(this.ledger, "triage", this.#clock, newId),
    };
    const received = batch.map(({ body, receiveCount }) => ({
      body: triageMessage.parse(JSON.parse(body)),
      receiveCount,
    }));
    const sender = { sendFresh: async () => {}, sendAgain: async () => {} };
    const outcomes = await Promise.race([triageBatch(ports, sender, received, () => 60_000), worker.death]);
    if (outcomes === undefined) return;
    for (const [index, { id }] of batch.entries()) if (outcomes[index]?.kind !== "retry") this.triage.delete(id);
  }
}

/** A worker whose calls never come back once it has died. */
class MortalWorker {
  readonly #death = Promise.withResolvers<undefined>();
  #isDead = false;

  get death(): Promise<undefined> {
    return this.#death.promise;
  }

  async unlessDead<T>(call: () => Promise<T>): Promise<T> {
    const answer = await call();
    return this.#isDead ? new Promise<never>(() => {}) : answer;
  }

  /** The part of a connector that triage uses; to read `killer` is death. */
  reading(connector: SourceConnector, killer: ItemRef | undefined): SourceConnector {
    const { sourceType, limits } = connector;
    return {
      sourceType,
      ...(limits && { limits }),
      listNew: (...of) => connector.listNew(...of),
      fetchMetadata: (...of) => connector.fetchMetadata(...of),
      sees: (...of) => connector.sees(...of),
      currentCursor: (...of) => connector.currentCursor(...of),
      setupWatch: (...of) => connector.setupWatch(...of),
      stopWatch: (...of) => connector.stopWatch(...of),
      fetchContent: (scout, ref) => {
        if (ref === killer) {
          this.#isDead = true;
          this.#death.resolve(undefined);
        }
        return this.unlessDead(() => connector.fetchContent(scout, ref));
      },
    };
  }
}
