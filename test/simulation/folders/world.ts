import { errorKinds } from "../../../events/error-kinds.ts";
import { ScoutsError } from "../../../events/errors.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import type { SessionId, UserId } from "../../../events/ids.ts";
import { type SummarizeMessage, summarizeMessage } from "../../../events/queues.ts";
import { AccountStore } from "../../../shared/billing/account-store.ts";
import { monthlyCap } from "../../../shared/billing/tiers.ts";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import { ConnectionStore } from "../../../shared/devices/connection-store.ts";
import type { FolderFrame } from "../../../shared/devices/frames/device-ports.ts";
import { SessionStore } from "../../../shared/devices/session-store.ts";
import { sweepSessions } from "../../../shared/devices/sweep.ts";
import { IndexFrameHandler } from "../../../shared/folders/index/index-frame-handler.ts";
import { IndexStore } from "../../../shared/folders/index/index-store.ts";
import { summarizeBatch } from "../../../shared/folders/summarize/summarize-batch.ts";
import type { SummarizePorts } from "../../../shared/folders/summarize/summarize-ports.ts";
import { summaryResults } from "../../../shared/folders/summarize/summary-results.ts";
import { sessionsKey } from "../../../shared/keys.ts";
import type { Log } from "../../../shared/ports/log.ts";
import type { Objects } from "../../../shared/ports/objects.ts";
import type { Queue } from "../../../shared/ports/queue.ts";
import { userIdOf } from "../../../shared/privacy/opaque.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { settleReservations } from "../../../shared/scouts/triage/settle-reservations.ts";
import { chance, newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import { MemoryObjects } from "../../memory/objects.ts";
import { MemoryQueue, type ReceivedMessage } from "../../memory/queue.ts";
import { SimulatedBreaker } from "../breaker.ts";
import { ring } from "../cloud.ts";
import { Consumer } from "../consumer.ts";
import { directTable, LaggingTable, tableOf } from "../lagging-table.ts";
import { Process } from "../process.ts";
import type { Simulation } from "../simulation.ts";
import { SlowSealer } from "../slow-sealer.ts";
import { codeOf, IndexingDevice } from "./device.ts";
import { type SimulatedFile, ulidOf } from "./files.ts";
import { FolderInvariants } from "./invariants.ts";
import { SummaryProvider } from "./model.ts";

const minuteMs = 60_000;
/** Of infra/queues.ts, infra/crons.ts, API Gateway and functions/worker/summarize.ts. */
const timeoutsMs = { worker: 60_000, cron: 60_000, socket: 29_000 } as const;
const reserveMs = 10_000;
const visibilityMs = 6 * minuteMs;

/** A way to break the domain on purpose, to see whether a run notices. */
export type FolderVariant = (ports: SummarizePorts) => SummarizePorts;

/** The folder half of the cloud over ports that fail, and the devices it serves. */
export class FolderWorld {
  readonly sim: Simulation;
  readonly ledger: LaggingTable;
  readonly sessions: LaggingTable;
  readonly queue: MemoryQueue<SummarizeMessage>;
  readonly objects = new MemoryObjects();
  readonly provider: SummaryProvider;
  readonly invariants: FolderInvariants;
  readonly devices: IndexingDevice[] = [];
  readonly #open = new Map<string, IndexingDevice>();
  readonly #consumer: Consumer<SummarizeMessage>;
  readonly #variant: FolderVariant;
  #serial = 0;

  constructor(sim: Simulation, variant: FolderVariant = (ports) => ports) {
    this.sim = sim;
    this.#variant = variant;
    this.invariants = new FolderInvariants(this);
    this.ledger = new LaggingTable(sim, "Ledger", { attributes: ["dueShard"], projections: {} }, (key, before, after) =>
      this.invariants.ledgerWritten(key, before, after),
    );
    this.sessions = new LaggingTable(
      sim,
      "Sessions",
      { attributes: ["expiryShard"], projections: {} },
      (key, before, after) => this.invariants.sessionsWritten(key, before, after),
    );
    this.queue = new MemoryQueue({ visibilityMs, maxReceives: 5 }, () => sim.nowMs);
    this.provider = new SummaryProvider(sim, (path) => this.#fileAt(path));
    this.provider.outages.onAsked = (path, process) => this.invariants.breaker.asked(path, process);
    this.#consumer = new Consumer(sim, this.queue, {
      name: "summarize",
      timeoutMs: timeoutsMs.worker,
      reserveMs,
      batchSize: 5,
      concurrency: 4,
      work: (process, batch) => this.#work(process, batch),
      onDeleted: () => {},
    });
  }

  nextSerial(): number {
    this.#serial += 1;
    return this.#serial;
  }

  addUser(name: string): UserId {
    return userIdOf("https://issuer.example/", name);
  }

  addDevice(user: UserId, files: readonly SimulatedFile[]): IndexingDevice {
    const device = new IndexingDevice(this, user, this.nextSerial(), files);
    this.devices.push(device);
    return device;
  }

  /** Says hello on a new connection. */
  connect(device: IndexingDevice): void {
    const connectionId = `c${this.nextSerial()}`;
    const hello = async (process: Process) => {
      const store = this.#sessionStore(process);
      return store.resume(device.userId, device.deviceId, connectionId, process.clock());
    };
    void Process.run(this.sim, `hello ${connectionId}`, timeoutsMs.socket, hello).then((ended) => {
      if (ended.how !== "done" || device.connectionId !== undefined) return;
      this.#open.set(connectionId, device);
      device.ready(ended.value.sessionId, ended.value.key, connectionId);
    });
  }

  /** A frame on its way up; its answer comes down as frames. */
  message(device: IndexingDevice, connectionId: string, frame: FolderFrame): void {
    if (this.sim.faults.strikes("cut_connection")) {
      this.#cut(connectionId);
      return;
    }
    const from = { userId: device.userId, deviceId: device.deviceId, connectionId };
    this.sim.after(this.sim.random.int(1, 120), `${frame.type} from ${connectionId}`, () => {
      void Process.run(this.sim, `${frame.type} ${connectionId}`, timeoutsMs.socket, async (process) => {
        const ports = this.#ports(process);
        try {
          const session = await this.#sessionStore(process).current(from.userId, from.deviceId, process.clock());
          const answer = await new IndexFrameHandler({ ...ports, accounts: new AccountStore(ports.ledger) }).answer(
            from,
            session,
            frame,
          );
          await ports.post.sockets.post(connectionId, answer);
        } catch (error) {
          const code = codeOf(error);
          const refused: ServerFrame = { type: "error", code, message: errorKinds[code].sentence, inReplyTo: frame.id };
          await ports.post.sockets.post(connectionId, refused);
        }
      });
    });
  }

  tick(cron: "sweep" | "reservations" | "due"): void {
    void Process.run(this.sim, cron, timeoutsMs.cron, async (process) => {
      const sessions = tableOf(process, this.sessions);
      if (cron === "due") await this.#breaker(process).tick();
      else if (cron === "sweep")
        await sweepSessions({ sessions, objects: this.#objects(process), log: noLog }, process.clock());
      else {
        const books = [summaryResults(sessions)];
        await settleReservations(
          { ledger: tableOf(process, this.ledger), clock: process.clock, newId, log: noLog },
          books,
        );
      }
    });
  }

  isLiving({ userId, deviceId }: IndexingDevice, session: SessionId): boolean {
    return this.sessions.items.peek(sessionsKey.session(userId, deviceId))?.["sessionId"] === session;
  }

  /** The device says bye, and its session ends. */
  async bye({ userId, deviceId }: IndexingDevice): Promise<void> {
    const store = new SessionStore(directTable(this.sessions), async () => new RingSealer(ring), chance);
    await store.end(userId, deviceId, this.sim.nowMs);
  }

  capOf(): number {
    return monthlyCap("free", "folder_index") ?? 0;
  }

  async #work(process: Process, batch: readonly ReceivedMessage[]): Promise<string[]> {
    const received = batch.map(({ body, receiveCount }) => ({
      body: summarizeMessage.parse(JSON.parse(body)),
      receiveCount,
    }));
    const ports = this.#variant(this.#ports(process));
    const outcomes = await summarizeBatch(ports, received, () => process.remainingMs() - reserveMs);
    return batch.flatMap(({ id }, at) => (outcomes[at]?.kind === "retry" ? [id] : []));
  }

  #ports(process: Process): SummarizePorts {
    const sessions = tableOf(process, this.sessions);
    const ledger = tableOf(process, this.ledger);
    const clock = process.clock;
    const newId = () => `id${this.nextSerial()}`;
    const sockets = {
      post: (connectionId: string, frame: ServerFrame) =>
        process.call(`post ${frame.type} to ${connectionId}`, () => this.#post(connectionId, frame), {
          refused: "internal",
          unknown: "internal",
          writes: true,
        }),
      close: async () => {},
    };
    return {
      index: new IndexStore(sessions),
      ledger,
      sessions: this.#sessionStore(process),
      accounts: new AccountStore(ledger),
      budget: new TokenBudget(ledger, "folder_index", clock, newId),
      model: this.provider.for(process),
      breaker: this.#breaker(process),
      objects: this.#objects(process),
      summarize: this.#queue(process),
      post: { table: sessions, connections: new ConnectionStore(sessions), clock, sockets },
      log: this.#log(process),
    };
  }

  #breaker(process: Process): SimulatedBreaker {
    return new SimulatedBreaker({
      ledger: tableOf(process, this.ledger),
      clock: process.clock,
      log: this.#log(process),
      probe: this.provider.outages.probeFor(process),
      random: () => this.sim.random.next(),
      newId: () => `id${this.nextSerial()}`,
      setting: "one",
    });
  }

  #sessionStore(process: Process): SessionStore {
    const newId = () => ulidOf(this.nextSerial());
    const newKey = () => new Uint8Array(32).fill(this.nextSerial() % 251);
    return new SessionStore(tableOf(process, this.sessions), async () => new SlowSealer(ring, process), {
      newId,
      newKey,
    });
  }

  #post(connectionId: string, frame: ServerFrame): "sent" | "gone" {
    const device = this.#open.get(connectionId);
    if (!device) return "gone";
    const { faults, random } = this.sim;
    if (faults.strikes("gone_410")) {
      this.#cut(connectionId);
      this.#open.delete(connectionId);
      return "gone";
    }
    if (faults.strikes("cut_connection")) {
      this.#cut(connectionId);
      return "sent";
    }
    this.sim.after(random.int(1, 120), `${frame.type} to ${connectionId}`, () => {
      if (device.connectionId === connectionId) device.receive(frame);
    });
    return "sent";
  }

  /** Frames are lost from now on; either side notices in its own time. */
  #cut(connectionId: string): void {
    const { random } = this.sim;
    const device = this.#open.get(connectionId);
    if (!device) return;
    this.sim.after(random.int(10, 60_000), "device sees close", () => device.disconnected(connectionId));
    this.sim.after(random.int(10, 10 * minuteMs), "gateway sees close", () => {
      this.#open.delete(connectionId);
    });
  }

  #objects(process: Process): Objects {
    const faulty = { refused: "storage_unavailable", unknown: "storage_unavailable" } as const;
    const { objects } = this;
    return {
      offer: (ref, forSeconds) => objects.offer(ref, forSeconds),
      get: (key) => process.call("get object", () => objects.get(key), { refused: "storage_unavailable" }),
      put: (key, bytes) => process.call("put object", () => objects.put(key, bytes), { ...faulty, writes: true }),
      delete: (keys) => process.call("delete objects", () => objects.delete(keys), { ...faulty, writes: true }),
      deleteUnder: (prefix) =>
        process.call("delete objects under", () => objects.deleteUnder(prefix), { ...faulty, writes: true }),
    };
  }

  #queue(process: Process): Queue<SummarizeMessage> {
    return {
      send: async (messages) => {
        const effect = async () => {
          this.invariants.holdsNoContent("queue", messages);
          await this.queue.send(messages);
          this.#consumer.wake();
        };
        const failures = { refused: "queue_unavailable", unknown: "queue_unavailable", writes: true } as const;
        await process.call(`queue.send ${messages.length}`, effect, failures);
      },
    };
  }

  #log(process: Process): Log {
    const write = (code: string, data: unknown) => {
      this.invariants.breaker.logged(code, process);
      this.invariants.holdsNoContent("log", data);
      this.sim.trace(`${process.name} logs ${code} ${JSON.stringify(data ?? {})}`);
    };
    return {
      event: (code, data) => write(code, data),
      error: (code, error, data) =>
        write(code, { ...data, error: error instanceof ScoutsError ? error.code : String(error) }),
    };
  }

  #fileAt(path: string): SimulatedFile {
    const found = this.devices.flatMap(({ files }) => files).find(({ file }) => file.relPath === path);
    if (!found) throw new RangeError(`The model was asked about ${path}, which does not exist`);
    return found.file;
  }
}
