import type { ClientFrame, ServerFrame } from "../../../events/frames/frames.ts";
import {
  callId,
  type DeviceId,
  deviceId,
  itemRef,
  joinProposalId,
  type ProposalId,
  scoutId,
  type UserId,
} from "../../../events/ids.ts";
import { type AgentMessage, agentMessage } from "../../../events/queues.ts";
import { runCaps } from "../../../shared/agents/run/caps.ts";
import { RunFrameHandler } from "../../../shared/agents/run/run-frame-handler.ts";
import { runResults } from "../../../shared/agents/run/run-results.ts";
import { RunStore } from "../../../shared/agents/run/run-store.ts";
import { endAbandonedRun } from "../../../shared/agents/run/sweep-run.ts";
import type { AgentPorts } from "../../../shared/agents/step/agent-ports.ts";
import { maxReceives, takeStep } from "../../../shared/agents/step/take-step.ts";
import { AccountStore } from "../../../shared/billing/account-store.ts";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import { ConnectionStore } from "../../../shared/devices/connection-store.ts";
import { Delivery, type DeliveryPorts } from "../../../shared/devices/delivery.ts";
import { categorized } from "../../../shared/devices/frames/categorized.ts";
import type { RunFrame } from "../../../shared/devices/frames/device-ports.ts";
import { newSessionKey, SessionStore } from "../../../shared/devices/session-store.ts";
import { sweepSessions } from "../../../shared/devices/sweep.ts";
import { asScoutsError } from "../../../shared/outcome/outcome.ts";
import type { Connections } from "../../../shared/ports/connections.ts";
import type { Log } from "../../../shared/ports/log.ts";
import type { Objects } from "../../../shared/ports/objects.ts";
import { builtInPrompts } from "../../../shared/ports/prompts.ts";
import type { Queue } from "../../../shared/ports/queue.ts";
import type { Table } from "../../../shared/ports/table.ts";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { userIdOf } from "../../../shared/privacy/opaque.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { CategorizeLeases } from "../../../shared/scouts/items/categorize-leases.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { SourceQuota } from "../../../shared/scouts/quota/source-quota.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { settleReservations } from "../../../shared/scouts/triage/settle-reservations.ts";
import { noLog } from "../../memory/log.ts";
import { MemoryObjects } from "../../memory/objects.ts";
import { MemoryQueue, type ReceivedMessage } from "../../memory/queue.ts";
import { SimulatedBreaker } from "../breaker.ts";
import { Consumer } from "../consumer.ts";
import { LaggingTable, tableOf } from "../lagging-table.ts";
import { type Ended, Process } from "../process.ts";
import type { Simulation } from "../simulation.ts";
import { SimulatedDevice } from "./device.ts";
import { AgentInvariants } from "./invariants.ts";
import { SimulatedToolModel } from "./model.ts";

const ring = parseKeyRing(JSON.stringify({ keys: [{ kid: "k1", key: Buffer.alloc(32, 7).toString("base64") }] }));
const timeoutsMs = { agent: 120_000, socket: 29_000, cron: 60_000 } as const;
const reserveMs = 10_000;
const visibilityMs = 12 * 60_000;

/** A way to break the domain on purpose, to see whether a run notices. */
export interface AgentVariant {
  ports?(ports: AgentPorts): AgentPorts;
  sessions?(table: Table): Table;
  ledger?(table: Table): Table;
}

/** What a device says of runs. */
export type AgentFrame = RunFrame | Extract<ClientFrame, { type: "categorize_result" }>;

export interface From {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly connectionId: string;
}

/** Two people, one with a device and one with two, and the cloud's half of agents as functions/ composes it, over ports that fail. */
export class AgentWorld {
  readonly sim: Simulation;
  readonly invariants: AgentInvariants;
  readonly ledger: LaggingTable;
  readonly sessions: LaggingTable;
  readonly objects = new MemoryObjects();
  readonly queue: MemoryQueue<AgentMessage>;
  readonly model: SimulatedToolModel;
  readonly devices: SimulatedDevice[] = [];
  /** Open connections and whose they are. */
  readonly open = new Map<string, SimulatedDevice>();
  readonly #consumer: Consumer<AgentMessage>;
  readonly #variant: AgentVariant;
  #ids = 0;

  constructor(sim: Simulation, variant: AgentVariant = {}) {
    this.sim = sim;
    this.#variant = variant;
    this.invariants = new AgentInvariants(this);
    const observe: ConstructorParameters<typeof LaggingTable>[3] = (key, before, after) =>
      this.invariants.written(key, before, after);
    const dueIndex = { attributes: ["dueShard"], projections: {} };
    const expiryIndex = { attributes: ["expiryShard"], projections: {} };
    this.ledger = new LaggingTable(sim, "ledger", dueIndex, observe);
    this.sessions = new LaggingTable(sim, "sessions", expiryIndex, observe);
    this.queue = new MemoryQueue({ visibilityMs, maxReceives }, () => sim.nowMs);
    this.model = new SimulatedToolModel(sim);
    this.model.outages.onAsked = (what, process) => this.invariants.breaker.asked(what, process);
    this.#consumer = new Consumer(sim, this.queue, {
      name: "agent",
      timeoutMs: timeoutsMs.agent,
      reserveMs,
      batchSize: 1,
      concurrency: 3,
      work: (process, batch) => this.#work(process, batch),
      onDeleted: () => {},
    });
    for (const name of ["ada", "bob", "bob"]) {
      const id = deviceId.parse(`dev_${this.newUlid()}`);
      this.devices.push(new SimulatedDevice(this, userIdOf("https://issuer.example/", name), id));
    }
  }

  newUlid(): string {
    this.#ids += 1;
    return `01KE5Q86${String(this.#ids).padStart(18, "0")}`;
  }

  /** A connection says hello. @returns whether it was heard */
  async hello(from: From): Promise<boolean> {
    const ended = await Process.run(this.sim, `hello ${from.connectionId}`, timeoutsMs.socket, async (process) => {
      await this.#sessionStore(process).resume(from.userId, from.deviceId, from.connectionId, process.clock());
    });
    return ended.how === "done";
  }

  bye(from: From): Promise<Ended<void>> {
    return Process.run(this.sim, `bye ${from.connectionId}`, timeoutsMs.socket, (process) =>
      this.#sessionStore(process).end(from.userId, from.deviceId, process.clock()),
    );
  }

  /** A frame comes in. @returns what it is answered with, unless the function dies */
  async say(from: From, frame: AgentFrame): Promise<string | undefined> {
    const ended = await Process.run(
      this.sim,
      `${frame.type} from ${from.connectionId}`,
      timeoutsMs.socket,
      async (process) => {
        const sessions = this.#sessionsOf(process);
        const leases = new CategorizeLeases(this.#ledgerOf(process));
        const handler = new RunFrameHandler({
          ledger: tableOf(process, this.ledger),
          runs: new RunStore(sessions),
          agent: this.#queueOf(process),
          leases,
          isCategorizing: true,
          clock: process.clock,
        });
        try {
          if (frame.type === "categorize_result") {
            const delivery = new Delivery(this.#deliveryPorts(process));
            return (await categorized({ leases, delivery }, from, frame)).type;
          }
          const session = await this.#sessionStore(process).current(from.userId, from.deviceId, process.clock());
          return (await handler.answer(from, session, frame)).type;
        } catch (error) {
          return asScoutsError(error).code;
        }
      },
    );
    return ended.how === "done" ? ended.value : undefined;
  }

  sweep(): Promise<Ended<unknown>> {
    return Process.run(this.sim, "sweep", timeoutsMs.cron, (process) => {
      const sessions = this.#sessionsOf(process);
      const ledger = tableOf(process, this.ledger);
      const endRun = (key: Parameters<typeof endAbandonedRun>[2], nowMs: number) =>
        endAbandonedRun(sessions, ledger, key, nowMs);
      return sweepSessions({ sessions, objects: this.#objectsOf(process), endRun, log: noLog }, process.clock());
    });
  }

  /** The due cron's part in this: it probes a model that could not be asked. */
  due(): Promise<Ended<unknown>> {
    return Process.run(this.sim, "due", timeoutsMs.cron, (process) => this.#breaker(process).tick());
  }

  settleReservations(): Promise<Ended<unknown>> {
    return Process.run(this.sim, "reservations", timeoutsMs.cron, (process) => {
      const books = runResults(this.#sessionsOf(process));
      return settleReservations(
        { ledger: tableOf(process, this.ledger), clock: process.clock, newId: () => this.newUlid(), log: noLog },
        books,
      );
    });
  }

  async #work(process: Process, batch: readonly ReceivedMessage[]): Promise<string[]> {
    const failed: string[] = [];
    for (const { id: messageId, body, receiveCount } of batch) {
      const received = { body: agentMessage.parse(JSON.parse(body)), messageId, receiveCount };
      const outcome = await takeStep(this.#ports(process), received, () => process.remainingMs() - reserveMs);
      if (outcome.kind === "retry") failed.push(messageId);
    }
    return failed;
  }

  #ports(process: Process): AgentPorts {
    const { clock } = process;
    const sessions = this.#sessionsOf(process);
    const ledger = tableOf(process, this.ledger);
    const ports: AgentPorts = {
      ledger,
      runs: new RunStore(sessions),
      sessions: this.#sessionStore(process),
      accounts: new AccountStore(ledger),
      budgets: {
        agents: new TokenBudget(ledger, "agents", clock, () => this.newUlid()),
        categorize: new TokenBudget(ledger, "categorize", clock, () => this.newUlid()),
      },
      model: this.model.for(process),
      breaker: this.#breaker(process),
      prompts: builtInPrompts,
      objects: this.#objectsOf(process),
      agent: this.#queueOf(process),
      post: { table: sessions, connections: new ConnectionStore(sessions), sockets: this.#socketsOf(process), clock },
      caps: { ...runCaps, steps: 6 },
      prices: { input: 0.15, output: 0.6 },
      clock,
      after: (delayMs, work) => this.sim.after(delayMs, `${process.name} looks again`, work),
      log: this.#logOf(process),
      newId: () => this.newUlid(),
      newCallId: () => callId.parse(`cal_${this.newUlid()}`),
    };
    return this.#variant.ports?.(ports) ?? ports;
  }

  #breaker(process: Process): SimulatedBreaker {
    return new SimulatedBreaker({
      ledger: tableOf(process, this.ledger),
      clock: process.clock,
      log: this.#logOf(process),
      probe: this.model.outages.probeFor(process),
      random: () => this.sim.random.next(),
      newId: () => this.newUlid(),
      setting: "one",
    });
  }

  #ledgerOf(process: Process): Table {
    const table = tableOf(process, this.ledger);
    return this.#variant.ledger?.(table) ?? table;
  }

  /** Nothing is read at a source here. */
  #deliveryPorts(process: Process): DeliveryPorts {
    const { clock } = process;
    const ledger = tableOf(process, this.ledger);
    return {
      items: new ItemStore(ledger),
      scouts: new ScoutStore(ledger),
      quota: new SourceQuota(ledger, clock, () => this.sim.random.next()),
      connections: new ConnectionStore(this.#sessionsOf(process)),
      connectors: new Map(),
      sockets: this.#socketsOf(process),
      clock,
      log: this.#logOf(process),
    };
  }

  /** A person's proposals are judged, and their devices want them read. */
  async propose(user: UserId, count: number): Promise<ProposalId[]> {
    const scout = scoutId.parse(`sct_${this.newUlid()}`);
    const items = new ItemStore(this.ledger.items);
    const judged = { status: "queued", sourceType: "gmail", reasonCode: "personal", confidence: 1 } as const;
    const by = { inputTokens: 0, outputTokens: 0, model: "simulated", promptVersion: "1" };
    const refs = Array.from({ length: count }, (_, n) => itemRef.parse(`m${n}`));
    for (const ref of refs)
      await items.judge({ userId: user, scoutId: scout, ref }, { ...judged, ...by }, this.sim.nowMs);
    return refs.map((ref) => joinProposalId(scout, ref));
  }

  #sessionsOf(process: Process): Table {
    const table = tableOf(process, this.sessions);
    return this.#variant.sessions?.(table) ?? table;
  }

  #sessionStore(process: Process): SessionStore {
    return new SessionStore(this.#sessionsOf(process), () => process.call("ring", () => new RingSealer(ring)), {
      newId: () => this.newUlid(),
      newKey: newSessionKey,
    });
  }

  #objectsOf(process: Process): Objects {
    const failures = { refused: "storage_throttled", unknown: "storage_unavailable", writes: true } as const;
    const { objects, invariants } = this;
    return {
      offer: (ref, seconds) => process.call("objects.offer", () => objects.offer(ref, seconds)),
      get: (key) => process.call("objects.get", () => objects.get(key), failures),
      put: (key, bytes) => {
        invariants.holdsNoContent("object", Buffer.from(bytes).toString("latin1"));
        return process.call("objects.put", () => objects.put(key, bytes), failures);
      },
      delete: (keys) => process.call(`objects.delete ${keys.length}`, () => objects.delete(keys), failures),
      deleteUnder: (prefix) => process.call("objects.deleteUnder", () => objects.deleteUnder(prefix), failures),
    };
  }

  #queueOf(process: Process): Queue<AgentMessage> {
    const failures = { refused: "queue_unavailable", unknown: "queue_unavailable", writes: true } as const;
    return {
      send: (messages) => {
        const effect = async () => {
          this.invariants.holdsNoContent("queue", JSON.stringify(messages));
          await this.queue.send(messages);
          this.#consumer.wake();
        };
        return process.call(`queue.send ${messages[0]?.body.step}`, effect, failures);
      },
    };
  }

  #socketsOf(process: Process): Connections {
    const failures = { refused: "internal", unknown: "internal", writes: true } as const;
    return {
      post: (to, frame) => process.call(`post ${frame.type} to ${to}`, () => this.#post(to, frame), failures),
      close: async () => {},
    };
  }

  #post(to: string, frame: ServerFrame): "sent" | "gone" {
    const device = this.open.get(to);
    if (!device || this.sim.faults.strikes("gone_410")) {
      device?.cut();
      return "gone";
    }
    this.invariants.posted(device.userId, frame);
    if (this.sim.faults.strikes("cut_connection")) device.cut();
    else this.sim.after(this.sim.random.int(1, 100), `${frame.type} to ${to}`, () => device.received(to, frame));
    return "sent";
  }

  #logOf(process: Process): Log {
    const write = (code: string, data: unknown, error?: string) => {
      this.invariants.breaker.logged(code, process);
      this.invariants.holdsNoContent("log", JSON.stringify(data ?? {}));
      this.sim.trace(`${process.name} logs ${code} ${JSON.stringify(data ?? {})} ${error ?? ""}`);
    };
    return {
      event: (code, data) => write(code, data),
      error: (code, error, data) => write(code, data, asScoutsError(error).code),
    };
  }
}
