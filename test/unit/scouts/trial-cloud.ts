import type { TrialResponse } from "../../../events/http/trials.ts";
import { type ItemRef, type TrialId, trialId } from "../../../events/ids.ts";
import { type TrialMessage, trialMessage } from "../../../events/queues.ts";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import type { Outcome } from "../../../shared/outcome/outcome.ts";
import type { Table } from "../../../shared/ports/table.ts";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import { ItemStore, type JudgedItem } from "../../../shared/scouts/items/item-store.ts";
import { SourceQuota } from "../../../shared/scouts/quota/source-quota.ts";
import { sealProfile } from "../../../shared/scouts/scout-profile.ts";
import type { ScoutRow } from "../../../shared/scouts/scout-row.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { settleReservations } from "../../../shared/scouts/triage/settle-reservations.ts";
import { verdictResults } from "../../../shared/scouts/triage/verdict-results.ts";
import { showTrial } from "../../../shared/scouts/trial/show-trial.ts";
import { startTrial } from "../../../shared/scouts/trial/start-trial.ts";
import { trialBatch } from "../../../shared/scouts/trial/trial-batch.ts";
import type { TrialPorts } from "../../../shared/scouts/trial/trial-ports.ts";
import { trialResults } from "../../../shared/scouts/trial/trial-results.ts";
import { TrialStore } from "../../../shared/scouts/trial/trial-store.ts";
import { closedBreaker } from "../../memory/breaker.ts";
import { newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import { MemoryQueue } from "../../memory/queue.ts";
import { MemoryTable } from "../../memory/table.ts";
import { ToldModel } from "../folders/cloud.ts";
import { ada, nowMs as beginMs, inbox, newLedger, ref } from "./setting.ts";

const ring = parseKeyRing(JSON.stringify({ keys: [{ kid: "k", key: Buffer.alloc(32, 9).toString("base64") }] }));
const trial: TrialId = trialId.parse("trl_01KE5Q8600ESE4NYY1EVXDNQET");
const purpose = "Whatever the owl of Eberswalde has to say";
const minuteMs = 60_000;

/** Everything a worker touches, in one place so that it can be taken away from it. */
export interface World {
  readonly ledger: Table;
  readonly sessions: Table;
  readonly queue: TrialPorts["queue"];
  readonly model: TrialPorts["model"];
}

/** A scout with items that were judged, and trials of other purposes on it, over memory. */
export class TrialCloud {
  nowMs = beginMs;
  readonly clock = () => this.nowMs;
  readonly ledger = newLedger();
  readonly sessions = new MemoryTable();
  readonly queue = new MemoryQueue<TrialMessage>({ visibilityMs: 6 * minuteMs, maxReceives: 5 }, this.clock);
  readonly model = new ToldModel();
  readonly items = new ItemStore(this.ledger);
  readonly budget = new TokenBudget(this.ledger, "triage", this.clock, newId);
  readonly logged: string[] = [];
  /** Items the source does not have any more. */
  readonly gone = new Set<string>();
  readonly connector: SourceConnector;
  breaker: TrialPorts["breaker"] = closedBreaker;

  constructor() {
    // Anything to do with an item's importance is in its subject.
    this.model.answer = (prompt) => {
      const wanted = /^Purpose: (.*)$/m.exec(prompt)?.[1] ?? "";
      const subject = /^Subject: (.*)$/m.exec(prompt)?.[1] ?? "";
      const relevant = wanted.includes(subject);
      return {
        verdict: relevant ? "relevant" : "spam",
        reason: `Because of ${subject}`,
        reasonCode: relevant ? "personal" : "marketing",
        confidence: 0.95,
      };
    };
    const content = (subject: string) => ({
      subject: new Transient(subject),
      sender: new Transient({ name: "Noor", address: "noor@example.org" }),
      snippet: new Transient("…"),
      receivedAtMs: beginMs,
      relation: "to" as const,
      automatic: false,
      present: !this.gone.has(subject),
      text: new Transient(`Text of ${subject}`),
    });
    const never = async () => {
      throw new Error("A trial does not do that");
    };
    this.connector = {
      sourceType: "gmail",
      listNew: never,
      fetchMetadata: async (_, item) => content(item),
      fetchContent: async (_, item) => content(item),
      sees: never,
      currentCursor: never,
      setupWatch: never,
      stopWatch: never,
    };
  }

  ports({ ledger, sessions, queue, model }: World = this): TrialPorts {
    const log = (code: string) => void this.logged.push(code);
    return {
      trials: new TrialStore(sessions),
      queue,
      scouts: new ScoutStore(ledger),
      connectors: new Map([["gmail", this.connector]]),
      model,
      breaker: this.breaker,
      vault: async () => new RingSealer(ring),
      quota: new SourceQuota(ledger, this.clock, () => 0.5),
      budget: new TokenBudget(ledger, "triage", this.clock, newId),
      clock: this.clock,
      log: { event: log, error: log },
    };
  }

  async scout(more: Partial<ScoutRow> = {}): Promise<ScoutRow> {
    const of = { userId: ada, scoutId: inbox };
    const sealed = await sealProfile(new RingSealer(ring), of, { name: "Inbox", purpose: "What people want" });
    const row = { ...of, sourceType: "gmail", sealed, createdAt: beginMs, revision: 0, cursor: "7", ...more };
    await new ScoutStore(this.ledger).create(row);
    return row;
  }

  /** An item the scout has judged, a second after the one before. */
  async judged(name: string, as: JudgedItem): Promise<ItemRef> {
    this.nowMs += 1_000;
    await this.items.judge({ userId: ada, scoutId: inbox, ref: ref(name) }, as, this.nowMs);
    return ref(name);
  }

  /** @param world what the function that answers the request has */
  async start(wanted: { purpose?: string; last?: number; trialId?: TrialId } = {}, world: World = this): Promise<void> {
    const { trials, queue: trialQueue, vault, clock } = this.ports(world);
    const scout = await new ScoutStore(world.ledger).get(ada, inbox);
    await startTrial({ ledger: world.ledger, trials, trialQueue, vault, clock }, scout, {
      trialId: trial,
      last: 50,
      ...wanted,
      purpose: new Transient(wanted.purpose ?? purpose),
    });
  }

  /** One invocation of the worker: what is visible, as SQS would hand it out. */
  async work(limit = 10, ports: TrialPorts = this.ports()): Promise<Outcome[]> {
    const { received, outcomes } = await this.workAndDie(limit, ports);
    for (const [at, { id }] of received.entries()) if (outcomes[at]?.kind !== "retry") this.queue.delete(id);
    return outcomes;
  }

  /** The same, but the queue never hears what came of it. */
  async workAndDie(limit: number, ports: TrialPorts) {
    const received = this.queue.receive(limit);
    const batch = received.map(({ body, receiveCount }) => ({
      body: trialMessage.parse(JSON.parse(body)),
      receiveCount,
    }));
    return { received, outcomes: await trialBatch(ports, batch, () => 40_000) };
  }

  /** Works until nothing is left, at whatever time it becomes visible. */
  async workAll(): Promise<void> {
    for (let next = this.queue.nextVisibleAtMs(); next !== undefined; next = this.queue.nextVisibleAtMs()) {
      this.nowMs = Math.max(this.nowMs, next);
      await this.work();
    }
  }

  async shown(id: TrialId = trial): Promise<TrialResponse> {
    const { trials, connectors, quota, clock } = this.ports();
    const scout = await new ScoutStore(this.ledger).get(ada, inbox);
    return showTrial({ trials, connectors, quota, clock }, scout, id, true);
  }

  /** The hourly cron. */
  settleReservations(): Promise<number> {
    const books = [verdictResults(this.ledger), trialResults(this.sessions)];
    return settleReservations({ ledger: this.ledger, clock: this.clock, newId, log: noLog }, books);
  }

  async usage() {
    const month = new Date(this.nowMs).toISOString().slice(0, 7);
    const { used, committed, open } = await this.budget.read(ada, month);
    return { used, committed, open: open.size };
  }

  /** Everything at rest, as text. */
  atRest(): string {
    return JSON.stringify([this.ledger.dump(), this.sessions.dump(), this.queue.bodies()]);
  }

  itemRow(item: ItemRef) {
    return this.ledger.peek(ledgerKey.item(ada, inbox, item));
  }
}
