import type * as z from "zod";
import { ScoutsError } from "../../../events/errors.ts";
import type { IndexedFile } from "../../../events/frames/folders.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import type { UserId } from "../../../events/ids.ts";
import { type SummarizeMessage, summarizeMessage } from "../../../events/queues.ts";
import { AccountStore } from "../../../shared/billing/account-store.ts";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import { ConnectionStore } from "../../../shared/devices/connection-store.ts";
import type { FolderFrame, From } from "../../../shared/devices/frames/device-ports.ts";
import { SessionStore } from "../../../shared/devices/session-store.ts";
import { IndexFrameHandler } from "../../../shared/folders/index/index-frame-handler.ts";
import { IndexStore } from "../../../shared/folders/index/index-store.ts";
import { summarizeBatch } from "../../../shared/folders/summarize/summarize-batch.ts";
import type { SummarizePorts } from "../../../shared/folders/summarize/summarize-ports.ts";
import { summaryResults } from "../../../shared/folders/summarize/summary-results.ts";
import type { ChatAnswer, ChatModel, ChatRequest } from "../../../shared/llm/chat-model.ts";
import type { Outcome } from "../../../shared/outcome/outcome.ts";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { settleReservations } from "../../../shared/scouts/triage/settle-reservations.ts";
import { closedBreaker } from "../../memory/breaker.ts";
import { chance, newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import { MemoryObjects } from "../../memory/objects.ts";
import { MemoryQueue } from "../../memory/queue.ts";
import { MemoryTable } from "../../memory/table.ts";
import { ada, nowMs as beginMs, laptop, newLedger } from "../scouts/setting.ts";
import { frame, index, project } from "./setting.ts";

const ring = parseKeyRing(JSON.stringify({ keys: [{ kid: "k", key: Buffer.alloc(32, 9).toString("base64") }] }));
const minuteMs = 60_000;

/** A model that answers as it is told, and remembers what it was asked. */
export class ToldModel implements ChatModel {
  readonly asked: ChatRequest<z.ZodType>[] = [];
  usage = { inputTokens: 100, outputTokens: 20 };
  /** What goes wrong with the next requests, in their order; nothing where there is no error. */
  faults: (ScoutsError | undefined)[] = [];
  answer: (prompt: string) => object = (prompt) => ({
    summary: `About ${/"([^"]*)"/.exec(prompt)?.[1]}`,
    tag: "doc",
  });
  /** Called before each answer. */
  meanwhile = async (): Promise<void> => {};

  async complete<S extends z.ZodType>(request: ChatRequest<S>): Promise<ChatAnswer<z.infer<S>>> {
    this.asked.push(request);
    await this.meanwhile();
    const fault = this.faults.shift();
    if (fault) throw fault;
    const value = request.schema.parse(this.answer(request.user.reveal()));
    return { value: new Transient(value), usage: this.usage, model: "told-1" };
  }
}

/** Frame handler and worker over memory: one person with a laptop that is connected. */
export class FolderCloud {
  nowMs = beginMs;
  readonly clock = () => this.nowMs;
  readonly sessionsTable = new MemoryTable();
  readonly ledger = newLedger();
  readonly objects = new MemoryObjects();
  readonly queue = new MemoryQueue<SummarizeMessage>({ visibilityMs: 6 * minuteMs, maxReceives: 5 }, this.clock);
  readonly model = new ToldModel();
  readonly index = new IndexStore(this.sessionsTable);
  readonly accounts = new AccountStore(this.ledger);
  readonly sessions = new SessionStore(this.sessionsTable, async () => new RingSealer(ring), chance);
  readonly budget = new TokenBudget(this.ledger, "folder_index", this.clock, newId);
  readonly logged: string[] = [];
  /** What each connection was sent; gone ones answer 410, failing ones throw. */
  readonly posted: { readonly connectionId: string; readonly frame: ServerFrame }[] = [];
  readonly gone = new Set<string>();
  readonly failing = new Set<string>();
  readonly from: From = { userId: ada, deviceId: laptop, connectionId: "c1" };
  readonly ports: SummarizePorts;
  readonly handler: IndexFrameHandler;
  #frames = 0;

  constructor() {
    const log = (code: string) => void this.logged.push(code);
    const post = {
      table: this.sessionsTable,
      connections: new ConnectionStore(this.sessionsTable),
      clock: this.clock,
      sockets: {
        post: async (connectionId: string, sent: ServerFrame) => {
          if (this.failing.has(connectionId)) throw new ScoutsError("internal");
          if (this.gone.has(connectionId)) return "gone" as const;
          this.posted.push({ connectionId, frame: sent });
          return "sent" as const;
        },
        close: async () => {},
      },
    };
    this.ports = {
      index: this.index,
      ledger: this.ledger,
      sessions: this.sessions,
      accounts: this.accounts,
      budget: this.budget,
      model: this.model,
      breaker: closedBreaker,
      objects: this.objects,
      summarize: this.queue,
      post,
      log: { event: log, error: log },
    };
    this.handler = new IndexFrameHandler({ ...this.ports, accounts: this.accounts });
  }

  hello(connectionId = this.from.connectionId) {
    return this.sessions.resume(ada, laptop, connectionId, this.nowMs);
  }

  async say(said: FolderFrame, from = this.from): Promise<ServerFrame> {
    const session = await this.sessions.current(from.userId, from.deviceId, this.nowMs);
    return this.handler.answer(from, session, said);
  }

  newFrameId() {
    this.#frames += 1;
    return frame(String(this.#frames));
  }

  start(totalFiles = 10, id = this.newFrameId()): Promise<ServerFrame> {
    return this.say({ type: "index_session_start", id, sessionId: index, projectId: project, totalFiles });
  }

  send(files: IndexedFile[], from = this.from): Promise<ServerFrame> {
    return this.say({ type: "index_file_batch", id: this.newFrameId(), sessionId: index, files }, from);
  }

  finish(): Promise<ServerFrame> {
    return this.say({ type: "index_session_finish", id: this.newFrameId(), sessionId: index });
  }

  cancel(): Promise<ServerFrame> {
    return this.say({ type: "index_session_cancel", id: this.newFrameId(), sessionId: index });
  }

  /** One invocation of the worker: what is visible, as SQS would hand it out. */
  async work(limit = 5, ports: SummarizePorts = this.ports): Promise<Outcome[]> {
    const received = this.queue.receive(limit);
    const batch = received.map(({ body, receiveCount }) => ({
      body: summarizeMessage.parse(JSON.parse(body)),
      receiveCount,
    }));
    const outcomes = await summarizeBatch(ports, batch, () => 40_000);
    for (const [at, { id }] of received.entries()) if (outcomes[at]?.kind !== "retry") this.queue.delete(id);
    return outcomes;
  }

  /** Works until nothing is left, at whatever time it becomes visible. */
  async workAll(): Promise<void> {
    for (let next = this.queue.nextVisibleAtMs(); next !== undefined; next = this.queue.nextVisibleAtMs()) {
      this.nowMs = Math.max(this.nowMs, next);
      await this.work();
    }
  }

  /** The hourly cron. */
  settleReservations(): Promise<number> {
    const books = [summaryResults(this.sessionsTable)];
    return settleReservations({ ledger: this.ledger, clock: this.clock, newId, log: noLog }, books);
  }

  frames<T extends ServerFrame["type"]>(type: T): Extract<ServerFrame, { type: T }>[] {
    const isOfType = (frame: ServerFrame): frame is Extract<ServerFrame, { type: T }> => frame.type === type;
    return this.posted.map((each) => each.frame).filter(isOfType);
  }

  async usage(user: UserId = ada, month = new Date(this.nowMs).toISOString().slice(0, 7)) {
    const { used, committed, open, committedWithin } = await this.budget.read(user, month);
    return { used, committed, open: open.size, project: committedWithin.get(project) ?? 0 };
  }
}
