import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import type { Table } from "../../../shared/ports/table.ts";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { SpamStore } from "../../../shared/scouts/items/spam-store.ts";
import { UnjudgedStore } from "../../../shared/scouts/items/unjudged-store.ts";
import { SourceQuota } from "../../../shared/scouts/quota/source-quota.ts";
import { sealProfile } from "../../../shared/scouts/scout-profile.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { requeueDueItems } from "../../../shared/scouts/sync/due.ts";
import type { TriagePorts } from "../../../shared/scouts/triage/triage.ts";
import { type ProposalSender, triageBatch } from "../../../shared/scouts/triage/triage-batch.ts";
import { closedBreaker } from "../../memory/breaker.ts";
import { newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import { MemoryQueue } from "../../memory/queue.ts";
import { ada, nowMs as beganMs, inbox, item, newLedger, ref } from "./setting.ts";

const minuteMs = 60_000;
const key = Buffer.alloc(32, 7).toString("base64");
const sealer = new RingSealer(parseKeyRing(JSON.stringify({ keys: [{ kid: "k1", key }] })));

/** A scout whose items are judged, over memory; a test takes away what it likes. */
export class JudgingCloud {
  nowMs = beganMs;
  readonly clock = () => this.nowMs;
  readonly ledger = newLedger();
  readonly items = new ItemStore(this.ledger);
  readonly triage = new MemoryQueue<unknown>({ visibilityMs: 6 * minuteMs, maxReceives: 5 }, this.clock);
  readonly asked: string[] = [];
  /** What the source lets be read in a minute. */
  unitsPerMinute = 6_000;
  /** What the model says of each. */
  verdict: "relevant" | "spam" = "relevant";
  /** What is done while the model is asked. */
  meanwhile: () => Promise<void> = async () => {};
  vault: TriagePorts["vault"] = async () => sealer;
  /** What the source does when an item is read. */
  read: () => Promise<void> = async () => {};
  /** The table as the bucket of a mailbox sees it. */
  bucket: Table = this.ledger;
  sender: ProposalSender = { sendFresh: async () => {}, sendAgain: async () => {} };

  /** Makes the scout. */
  async begin(): Promise<this> {
    const of = { userId: ada, scoutId: inbox };
    const sealed = await sealProfile(sealer, of, { name: "n", purpose: "p" });
    const row = { ...of, sourceType: "inbox", sealed, createdAt: this.nowMs, revision: 0, cursor: "c" };
    await new ScoutStore(this.ledger).create(row);
    return this;
  }

  ports(): TriagePorts {
    const { ledger, items, triage, clock } = this;
    const there = { receivedAtMs: this.nowMs, present: true, relation: "to", automatic: false } as const;
    const limits = { unitsPerMinute: this.unitsPerMinute, costs: { read: 1, list: 1, watch: 1, archive: 1 } };
    const texts = { subject: new Transient(""), sender: new Transient(""), snippet: new Transient("") };
    const source = {
      ...{ sourceType: "inbox", limits },
      fetchMetadata: async () => ({ ...there, ...texts }),
      fetchContent: async (_: unknown, name: string) => {
        await this.read();
        return { ...there, ...texts, subject: new Transient(name), text: new Transient(""), state: "inbox" };
      },
    } as unknown as SourceConnector;
    const complete: TriagePorts["model"]["complete"] = async ({ schema, user }) => {
      this.asked.push(/Subject: (\w+)/.exec(user.reveal())?.[1] ?? "");
      await this.meanwhile();
      const verdict = { verdict: this.verdict, reason: "", reasonCode: "other", confidence: 0.99 };
      const usage = { inputTokens: 100, outputTokens: 10 };
      return { value: new Transient(schema.parse(verdict)), usage, model: "m" };
    };
    return {
      ...{ items, triage, clock, log: noLog, breaker: closedBreaker, model: { complete } },
      spam: new SpamStore(ledger),
      unjudged: new UnjudgedStore(ledger),
      scouts: new ScoutStore(ledger),
      connectors: new Map([["inbox", source]]),
      vault: () => this.vault(),
      quota: new SourceQuota(this.bucket, clock, () => 0.5),
      budget: new TokenBudget(ledger, "triage", clock, newId),
      notices: { toEveryDevice: async () => {} },
    };
  }

  /** Items are listed, and what is on the queue is worked off. */
  async arrive(...names: string[]): Promise<void> {
    const bodies = names.map((name) => ({ v: 1, userId: ada, scoutId: inbox, ref: ref(name) }));
    await this.triage.send(bodies.map((body) => ({ body, group: ada })));
    await this.work();
  }

  /** Everything that is on the queue now, as workers of their own. */
  async work(): Promise<void> {
    for (let batch = this.triage.receive(10); batch.length > 0; batch = this.triage.receive(10)) {
      const received = batch.map(({ body, receiveCount }) => ({ body: JSON.parse(body), receiveCount }));
      const outcomes = await triageBatch(this.ports(), this.sender, received, () => 50_000);
      for (const [at, { id }] of batch.entries()) if (outcomes[at]?.kind !== "retry") this.triage.delete(id);
    }
  }

  /** Minutes with the due cron in each. */
  async pass(minutes: number): Promise<void> {
    const { ledger, items, clock } = this;
    for (let minute = 0; minute < minutes; minute += 1) {
      for (let second = 0; second < 60; second += 10) {
        this.nowMs += 10_000;
        await this.work();
      }
      const { triage } = this.ports();
      await requeueDueItems({ ledger, items, triage, breaker: closedBreaker, clock, log: noLog });
      await this.work();
    }
  }

  /** What its person has used this month, and what is set aside. */
  async tokens() {
    const { used, committed, open } = await this.ports().budget.read(ada, "2026-03" as never);
    return { used, committed, open: open.size };
  }

  async row(name: string) {
    const [found] = await this.items.getMany([item(name)]);
    return found;
  }
}
