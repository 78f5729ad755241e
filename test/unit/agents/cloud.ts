import * as z from "zod";
import { isScoutsError } from "../../../events/errors.ts";
import { type ServerFrame, serverFrame } from "../../../events/frames/frames.ts";
import { type CallId, callId, type DeviceId, type RunId, runId, type UserId } from "../../../events/ids.ts";
import { type AgentMessage, agentMessage } from "../../../events/queues.ts";
import type { AgentFeature } from "../../../shared/agents/conversation/agents.ts";
import { runCaps } from "../../../shared/agents/run/caps.ts";
import { RunFrameHandler } from "../../../shared/agents/run/run-frame-handler.ts";
import { parseRunRow, type RunRow, runKey } from "../../../shared/agents/run/run-row.ts";
import { RunStore } from "../../../shared/agents/run/run-store.ts";
import type { AgentPorts } from "../../../shared/agents/step/agent-ports.ts";
import { maxReceives, takeStep } from "../../../shared/agents/step/take-step.ts";
import { AccountStore } from "../../../shared/billing/account-store.ts";
import { monthOf } from "../../../shared/billing/month.ts";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import { ConnectionStore } from "../../../shared/devices/connection-store.ts";
import type { RunFrame } from "../../../shared/devices/frames/device-ports.ts";
import { type Session, SessionStore } from "../../../shared/devices/session-store.ts";
import type { ModelCall, ModelTurn, ToolModel, ToolRequest } from "../../../shared/llm/tool-model.ts";
import type { Outcome } from "../../../shared/outcome/outcome.ts";
import { builtInPrompts } from "../../../shared/ports/prompts.ts";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { CategorizeLeases } from "../../../shared/scouts/items/categorize-leases.ts";
import { closedBreaker } from "../../memory/breaker.ts";
import { chance, newId } from "../../memory/chance.ts";
import { MemoryObjects } from "../../memory/objects.ts";
import { MemoryQueue } from "../../memory/queue.ts";
import { MemoryTable } from "../../memory/table.ts";
import { ada, laptop, nowMs } from "../scouts/setting.ts";

const ring = parseKeyRing(JSON.stringify({ keys: [{ kid: "k", key: Buffer.alloc(32, 9).toString("base64") }] }));
const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const serial = (n: number) =>
  `01KE5Q86${[...n.toString(32).padStart(18, "0")].map((d) => digits[Number.parseInt(d, 32)]).join("")}`;

export const runNo = (n: number): RunId => runId.parse(`run_${serial(n)}`);
export const visibilityMs = 12 * 60_000;

/** What a scripted model says: words, calls, or both. An error is thrown. */
export interface ModelOutput {
  readonly text?: string;
  readonly isCut?: boolean;
  readonly calls?: readonly Omit<ModelCall, "callId">[];
  readonly tokens?: readonly [input: number, output: number];
  /** ModelOutput in these pieces, with so long in between. */
  readonly pieces?: readonly string[];
  readonly pauseMs?: number;
}
export type Script = (turns: readonly ModelTurn[], request: ToolRequest, asked: number) => ModelOutput | Error;

/** What work on runs goes through, each of it replaceable: a test that has functions die wraps them all. */
export interface Backing {
  readonly ledger: AgentPorts["ledger"];
  readonly sessions: AgentPorts["ledger"];
  readonly objects: AgentPorts["objects"];
  readonly agent: AgentPorts["agent"];
  readonly sockets: AgentPorts["post"]["sockets"];
  readonly model: ToolModel;
}

/** The cloud's half of agents in memory: tables, objects, queue, sockets that keep what they were given, a scripted model. */
export class AgentCloud {
  nowMs = nowMs;
  readonly ledger = new MemoryTable();
  readonly sessions = new MemoryTable();
  readonly objects = new MemoryObjects();
  readonly queue = new MemoryQueue<AgentMessage>({ visibilityMs, maxReceives }, () => this.nowMs);
  readonly posted: { readonly to: string; readonly frame: ServerFrame }[] = [];
  readonly gone = new Set<string>();
  readonly logged: string[] = [];
  readonly requests: ToolRequest[] = [];
  caps = runCaps;
  isCategorizing = true;
  script: Script;
  readonly #timers = new Set<{ readonly dueMs: number; readonly work: () => void }>();
  #calls = 0;

  constructor(script: Script) {
    this.script = script;
  }

  readonly backing: Backing = {
    ledger: this.ledger,
    sessions: this.sessions,
    objects: this.objects,
    agent: this.queue,
    sockets: {
      post: async (to, frame) => {
        if (this.gone.has(to)) return "gone";
        this.posted.push({ to, frame: serverFrame.parse(JSON.parse(JSON.stringify(frame))) });
        return "sent";
      },
      close: async () => {},
    },
    model: {
      converse: async (request, onText) => {
        this.requests.push(request);
        const said = this.script(request.turns.reveal(), request, this.requests.length);
        if (said instanceof Error) throw said;
        const { calls = [], tokens = [100, 10], pauseMs = 0 } = said;
        let text = "";
        for (const piece of said.pieces ?? [said.text ?? ""]) {
          if (request.signal.aborted) break;
          await this.#pass(pauseMs);
          text += piece;
          if (piece !== "") await onText(new Transient(piece));
        }
        const usage = { inputTokens: tokens[0], outputTokens: tokens[1] };
        const isCut = said.isCut ?? false;
        return { text: new Transient(text), calls: new Transient(calls), isCut, usage, model: "scripted" };
      },
    },
  };

  get waitingTimers(): number {
    return this.#timers.size;
  }

  /** Timers that are due by then have done what they do when this returns. */
  async #pass(ms: number): Promise<void> {
    this.nowMs += ms;
    for (const timer of this.#timers) {
      if (timer.dueMs > this.nowMs) continue;
      this.#timers.delete(timer);
      timer.work();
      await new Promise(setImmediate);
    }
  }

  ports(backing: Backing = this.backing): AgentPorts {
    const clock = () => this.nowMs;
    const { ledger, sessions, objects, agent, sockets, model } = backing;
    return {
      ledger,
      runs: new RunStore(sessions),
      sessions: this.sessionStore(backing),
      accounts: new AccountStore(ledger),
      budgets: {
        agents: new TokenBudget(ledger, "agents", clock, newId),
        categorize: new TokenBudget(ledger, "categorize", clock, newId),
      },
      model,
      breaker: closedBreaker,
      prompts: builtInPrompts,
      objects,
      agent,
      post: { table: sessions, connections: new ConnectionStore(sessions), sockets, clock },
      caps: this.caps,
      prices: { input: 0.15, output: 0.6 },
      clock,
      after: (delayMs, work) => {
        const timer = { dueMs: this.nowMs + delayMs, work };
        this.#timers.add(timer);
        return () => this.#timers.delete(timer);
      },
      log: {
        event: (code, data) => void this.logged.push(JSON.stringify({ code, ...data })),
        error: (code, error, data) =>
          void this.logged.push(
            JSON.stringify({ code, ...data, ...(isScoutsError(error) ? { because: error.code } : {}) }),
          ),
      },
      newId,
      newCallId: () => this.newCallId(),
    };
  }

  sessionStore({ sessions }: Pick<Backing, "sessions"> = this.backing): SessionStore {
    return new SessionStore(sessions, async () => new RingSealer(ring), chance);
  }

  newCallId(): CallId {
    this.#calls += 1;
    return callId.parse(`cal_${serial(this.#calls)}`);
  }

  hello(connectionId = "c1", userId: UserId = ada, deviceId: DeviceId = laptop): Promise<Session> {
    return this.sessionStore().resume(userId, deviceId, connectionId, this.nowMs);
  }

  /** A frame comes in. @returns `accepted`, or the code it is refused with */
  async say(
    frame: RunFrame,
    { connectionId = "c1", userId = ada, deviceId = laptop, backing = this.backing }: Partial<Saying> = {},
  ): Promise<string> {
    const { ledger, sessions, agent } = backing;
    const handler = new RunFrameHandler({
      ledger,
      runs: new RunStore(sessions),
      agent,
      leases: new CategorizeLeases(ledger),
      isCategorizing: this.isCategorizing,
      clock: () => this.nowMs,
    });
    try {
      const session = await this.sessionStore(backing).current(userId, deviceId, this.nowMs);
      return (await handler.answer({ userId, deviceId, connectionId }, session, frame)).type;
    } catch (error) {
      if (isScoutsError(error)) return error.code;
      throw error;
    }
  }

  /** Takes what is on the queue, one message after the other, until nothing is visible. */
  async work(backing: Backing = this.backing): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (;;) {
      const [message] = this.queue.receive(1);
      if (!message) return outcomes;
      const body = agentMessage.parse(JSON.parse(message.body));
      const { id: messageId, receiveCount } = message;
      const outcome = await takeStep(this.ports(backing), { body, messageId, receiveCount }, () => 60_000);
      if (outcome.kind !== "retry") this.queue.delete(messageId);
      outcomes.push(outcome);
    }
  }

  /** As {@link work}, and what waits is waited for. */
  async settle(): Promise<void> {
    for (;;) {
      await this.work();
      const nextMs = this.queue.nextVisibleAtMs();
      if (nextMs === undefined) return;
      this.nowMs = Math.max(this.nowMs, nextMs);
    }
  }

  run(id: RunId, userId: UserId = ada): RunRow | undefined {
    const item = this.sessions.peek(runKey({ userId, runId: id }));
    return item && parseRunRow(item);
  }

  frames<T extends ServerFrame["type"]>(type: T): Extract<ServerFrame, { type: T }>[] {
    return this.posted.flatMap(({ frame }) =>
      frame.type === type ? [frame as Extract<ServerFrame, { type: T }>] : [],
    );
  }

  async usage(
    userId: UserId = ada,
    feature: AgentFeature = "agents",
  ): Promise<{ used: number; committed: number; open: number }> {
    const budget = new TokenBudget(this.ledger, feature, () => this.nowMs, newId);
    const { used, committed, open } = await budget.read(userId, monthOf(this.nowMs));
    return { used, committed, open: open.size };
  }

  /** Everything at rest, as text; bytes also as what they are in Latin-1. */
  atRest(): string {
    const objects = [...this.objects.stored].map(([key, bytes]) => `${key} ${Buffer.from(bytes).toString("latin1")}`);
    const tables = [this.ledger.dump(), this.sessions.dump()];
    return [JSON.stringify(tables), ...objects, ...this.queue.bodies(), ...this.logged].join("\n");
  }
}

interface Saying {
  readonly connectionId: string;
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly backing: Backing;
}

const frameNo = z.string();
let frames = 0;
export const newFrame = <F extends RunFrame>(frame: Omit<F, "id">): F => {
  frames += 1;
  return { ...frame, id: frameNo.parse(`frm_${serial(frames)}`) } as F;
};
