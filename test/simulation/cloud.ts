import { ScoutsError } from "../../events/errors.ts";
import type { ServerFrame } from "../../events/frames/frames.ts";
import { type SyncMessage, syncMessage, type TriageMessage, triageMessage } from "../../events/queues.ts";
import { AccountStore } from "../../shared/billing/account-store.ts";
import { TokenBudget } from "../../shared/billing/token-budget.ts";
import { ConnectionStore } from "../../shared/devices/connection-store.ts";
import { Delivery, type DeliveryPorts } from "../../shared/devices/delivery.ts";
import { FrameLimit, frameRate } from "../../shared/devices/frame-limit.ts";
import { answerFrame } from "../../shared/devices/frames/answer.ts";
import type { From } from "../../shared/devices/frames/device-ports.ts";
import { sessionDisconnected } from "../../shared/devices/session-disconnected.ts";
import { SessionStore } from "../../shared/devices/session-store.ts";
import { sweepSessions } from "../../shared/devices/sweep.ts";
import { issueTicket, spendTicket, type TicketHolder } from "../../shared/devices/ticket.ts";
import type { Outcome } from "../../shared/outcome/outcome.ts";
import type { After } from "../../shared/ports/clock.ts";
import type { Log } from "../../shared/ports/log.ts";
import type { Queue } from "../../shared/ports/queue.ts";
import type { RemoteSource } from "../../shared/ports/remote-source.ts";
import type { Table } from "../../shared/ports/table.ts";
import { parseKeyRing } from "../../shared/privacy/key-ring.ts";
import { blindAddress } from "../../shared/privacy/opaque.ts";
import { RateLimit } from "../../shared/requests/rate-limit.ts";
import type { ConnectorRegistry, ScoutAtSource } from "../../shared/scouts/connectors/connector.ts";
import { answerCall } from "../../shared/scouts/connectors/remote/answer-call.ts";
import { CategorizeLeases } from "../../shared/scouts/items/categorize-leases.ts";
import { ItemStore } from "../../shared/scouts/items/item-store.ts";
import { RoundStore } from "../../shared/scouts/items/round-store.ts";
import { SpamStore } from "../../shared/scouts/items/spam-store.ts";
import { UnjudgedStore } from "../../shared/scouts/items/unjudged-store.ts";
import { changeScout } from "../../shared/scouts/lifecycle/change-scout.ts";
import { deleteScout } from "../../shared/scouts/lifecycle/delete-scout.ts";
import { scoutHealth } from "../../shared/scouts/lifecycle/health.ts";
import { SourceQuota } from "../../shared/scouts/quota/source-quota.ts";
import { isAtWork, type ScoutRow } from "../../shared/scouts/scout-row.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { SourceQueues } from "../../shared/scouts/source-queues.ts";
import { pollDueScouts, requeueDueItems } from "../../shared/scouts/sync/due.ts";
import { type SyncPorts, syncScout } from "../../shared/scouts/sync/sync.ts";
import { syncHint } from "../../shared/scouts/sync/sync-hint.ts";
import { settleReservations } from "../../shared/scouts/triage/settle-reservations.ts";
import type { TriagePorts } from "../../shared/scouts/triage/triage.ts";
import { triageBatch } from "../../shared/scouts/triage/triage-batch.ts";
import { verdictResults } from "../../shared/scouts/triage/verdict-results.ts";
import { MailboxStore } from "../../shared/scouts/watch/mailbox-store.ts";
import { noLog } from "../memory/log.ts";
import { MemoryObjects } from "../memory/objects.ts";
import type { ReceivedMessage } from "../memory/queue.ts";
import { SimulatedBreaker } from "./breaker.ts";
import { chance, newId } from "./ids.ts";
import { tableOf } from "./lagging-table.ts";
import { type Ended, Process } from "./process.ts";
import { SlowSealer } from "./slow-sealer.ts";
import { imapOf, sourcesOf } from "./sources/connectors.ts";
import type { QueueName, World } from "./world.ts";

/** Timeouts of infra/queues.ts, infra/crons.ts and API Gateway. */
export const timeoutsMs = {
  sync: 120_000,
  triage: 60_000,
  imap: 120_000,
  cron: 60_000,
  socket: 29_000,
  http: 29_000,
} as const;
/** As in functions/worker/triage.ts. */
export const triageReserveMs = 10_000;
/** As in functions/compose/connectors.ts. */
const callTimeoutMs = 18_000;
/** SQS takes ten messages a request. */
const sendBatchSize = 10;

export const ring = parseKeyRing(
  JSON.stringify({ keys: [{ kid: "k1", key: Buffer.alloc(32, 7).toString("base64") }] }),
);
export const addressKey = new Uint8Array(32).fill(1);
const ticketKey = new Uint8Array(32).fill(2);

/** A way to break the domain on purpose, to see whether a run notices. */
export interface Variant {
  ledger?(table: Table): Table;
  syncPorts?(ports: SyncPorts): SyncPorts;
  triagePorts?(ports: TriagePorts): TriagePorts;
  delivery?(ports: DeliveryPorts, ledger: Table): Delivery;
  /** What the worker makes of an outcome. */
  outcome?(outcome: Outcome): Outcome;
}

/** Nobody tries another purpose in a simulation. */
const noTrials = { forget: async () => {} };

/** The cloud's functions: the domain, composed as functions/ composes it, over ports that fail. */
export class Cloud {
  readonly #world: World;
  readonly #variant: Variant;

  constructor(world: World, variant: Variant) {
    this.#world = world;
    this.#variant = variant;
  }

  /** Messages are hints: each scout of the batch is looked at once, and that settles all of its messages. */
  async sync(process: Process, batch: readonly ReceivedMessage[]): Promise<string[]> {
    const own = { sync: this.#queue(process, "sync"), triage: this.#queue(process, "triage") };
    return this.#failed(batch, await this.#look(process, this.#sources(process), own, batch));
  }

  async triage(process: Process, batch: readonly ReceivedMessage[]): Promise<string[]> {
    const triage = this.#queue<TriageMessage>(process, "triage");
    return this.#failed(batch, await this.#judge(process, this.#sources(process), triage, batch));
  }

  /** Hints and items of mailboxes at other servers, and the one connection they share: as functions/worker/imap.ts. */
  async imap(process: Process, batch: readonly ReceivedMessage[]): Promise<string[]> {
    const { imap, connectors } = this.#imap(process);
    const queue = this.#queue<SyncMessage | TriageMessage>(process, "imap");
    const isHint = ({ body }: ReceivedMessage) => "cause" in JSON.parse(body);
    const hints = batch.filter(isHint);
    const items = batch.filter((message) => !isHint(message));
    try {
      const [looked, judged] = await Promise.all([
        this.#look(process, connectors, { sync: queue, triage: queue }, hints),
        items.length > 0 ? this.#judge(process, connectors, queue, items) : [],
      ]);
      return [...this.#failed(hints, looked), ...this.#failed(items, judged)];
    } finally {
      await imap.close();
    }
  }

  #look(
    process: Process,
    connectors: ConnectorRegistry,
    own: Pick<SyncPorts, "sync" | "triage">,
    batch: readonly ReceivedMessage[],
  ): Promise<Outcome[]> {
    const base: SyncPorts = {
      ...this.#scoutPorts(process),
      ...own,
      connectors,
      notices: this.#devicePorts(process, connectors).delivery,
      random: () => this.#world.sim.random.next(),
      newId,
    };
    const ports = this.#variant.syncPorts?.(base) ?? base;
    const runs = new Map<string, Promise<Outcome>>();
    const messages = batch.map(({ body }) => syncMessage.parse(JSON.parse(body)));
    const outcomes = messages.map(({ userId, scoutId }) => {
      const causes = new Set(messages.filter((each) => each.scoutId === scoutId).map(({ cause }) => cause));
      const run = runs.get(scoutId) ?? syncScout(ports, { userId, scoutId, causes }, () => process.remainingMs());
      runs.set(scoutId, run);
      return run;
    });
    return Promise.all(outcomes);
  }

  #judge(
    process: Process,
    connectors: ConnectorRegistry,
    triage: Queue<TriageMessage>,
    batch: readonly ReceivedMessage[],
  ): Promise<Outcome[]> {
    const shared = this.#scoutPorts(process);
    const devices = this.#devicePorts(process, connectors);
    const base: TriagePorts = {
      ...shared,
      connectors,
      triage,
      items: new ItemStore(shared.ledger),
      spam: new SpamStore(shared.ledger),
      unjudged: new UnjudgedStore(shared.ledger),
      quota: new SourceQuota(shared.ledger, process.clock, () => this.#world.sim.random.next()),
      budget: new TokenBudget(shared.ledger, "triage", process.clock, newId),
      notices: devices.delivery,
      scouts: new ScoutStore(shared.ledger),
      model: this.#world.provider.for(process),
      vault: async () => new SlowSealer(ring, process),
    };
    const ports = this.#variant.triagePorts?.(base) ?? base;
    const received = batch.map(({ body, receiveCount }) => ({
      body: triageMessage.parse(JSON.parse(body)),
      receiveCount,
    }));
    const remainingMs = () => process.remainingMs() - triageReserveMs;
    return triageBatch(ports, devices.delivery, received, remainingMs);
  }

  async poll(process: Process): Promise<void> {
    const { ledger, clock } = this.#scoutPorts(process);
    const sync = this.#syncQueues(process);
    await pollDueScouts({ ledger, clock, sync, scouts: new ScoutStore(ledger), newId, log: noLog });
  }

  async due(process: Process): Promise<void> {
    const { ledger, clock, breaker } = this.#scoutPorts(process);
    const shared = this.#queue<TriageMessage>(process, "triage");
    const triage = new SourceQueues<TriageMessage>(shared, new Map([["imap", this.#queue(process, "imap")]]));
    await requeueDueItems({ ledger, triage, clock, breaker, items: new ItemStore(ledger), log: noLog });
  }

  async reservations(process: Process): Promise<void> {
    const { ledger, clock } = this.#scoutPorts(process);
    await settleReservations({ ledger, clock, newId, log: noLog }, [verdictResults(ledger)]);
  }

  async sweep(process: Process): Promise<void> {
    const sessions = tableOf(process, this.#world.sessions);
    await sweepSessions({ sessions, objects: new MemoryObjects(), log: noLog }, process.clock());
  }

  /** The webhook behind its authentication: as functions/webhook/gmail.ts does it. */
  async push(process: Process, address: string, messageId: string): Promise<void> {
    const { ledger } = this.#scoutPorts(process);
    const scouts = await new MailboxStore(ledger).scoutsOf(blindAddress(addressKey, address));
    await this.#queue<SyncMessage>(process, "sync").send(scouts.map((scout) => syncHint(scout, "push", messageId)));
  }

  /** The home asks for a look, because files have changed: as `POST /api/v1/scouts/{id}/run` answers it. */
  async run(process: Process, { userId, scoutId }: ScoutAtSource): Promise<void> {
    const row = await new ScoutStore(this.#scoutPorts(process).ledger).get(userId, scoutId);
    if (isAtWork(row) && row.cursor !== undefined) {
      await this.#syncQueues(process).send([syncHint(row, "manual", newId())]);
    }
  }

  /** The owner pauses a scout, or has it go on. */
  async pause(process: Process, { userId, scoutId }: ScoutAtSource, paused: boolean): Promise<void> {
    const { ledger, clock, log } = this.#scoutPorts(process);
    const connectors = this.#sources(process);
    const scouts = new ScoutStore(ledger);
    const sync = this.#syncQueues(process);
    const vault = async () => new SlowSealer(ring, process);
    await changeScout({ ledger, connectors, clock, newId, sync, vault, log }, await scouts.get(userId, scoutId), {
      paused,
    });
  }

  /** The owner deletes a scout. @throws unless all of it is gone */
  async delete(process: Process, { userId, scoutId }: ScoutAtSource): Promise<void> {
    const shared = this.#scoutPorts(process);
    const stores = { scouts: new ScoutStore(shared.ledger), mailboxes: new MailboxStore(shared.ledger) };
    const connectors = this.#sources(process);
    const notices = this.#devicePorts(process, connectors).delivery;
    const own = { connectors, releases: new Map(), trials: noTrials, newId, notices };
    const ports = { ...shared, ...stores, ...own };
    const gone = await deleteScout(ports, userId, scoutId, process.clock() + process.remainingMs());
    if (!gone) throw new ScoutsError("conflict");
  }

  ticket(holder: TicketHolder): Promise<Ended<string>> {
    return Process.run(this.#world.sim, "tickets", timeoutsMs.http, (process) =>
      issueTicket(ticketKey, holder, process.clock, newId),
    );
  }

  async authorize(ticket: string): Promise<TicketHolder | undefined> {
    const ended = await Process.run(this.#world.sim, "authorizer", timeoutsMs.socket, (process) =>
      spendTicket(ticketKey, ticket, tableOf(process, this.#world.sessions), process.clock),
    );
    return ended.how === "done" ? ended.value : undefined;
  }

  async message(from: From, text: string): Promise<boolean> {
    const ended = await Process.run(this.#world.sim, `frame ${from.connectionId}`, timeoutsMs.socket, (process) =>
      answerFrame(this.#devicePorts(process), from, text),
    );
    return ended.how === "done";
  }

  disconnected(from: From): void {
    void Process.run(this.#world.sim, `disconnect ${from.connectionId}`, timeoutsMs.socket, async (process) => {
      const sessions = tableOf(process, this.#world.sessions);
      await new ConnectionStore(sessions).remove(from.userId, from.connectionId);
      await sessionDisconnected(sessions, from, process.clock());
    });
  }

  #failed(batch: readonly ReceivedMessage[], outcomes: readonly Outcome[]): string[] {
    return batch.flatMap(({ id }, index) => {
      const outcome = outcomes[index];
      const final = outcome && (this.#variant.outcome?.(outcome) ?? outcome);
      return final?.kind === "retry" ? [id] : [];
    });
  }

  #scoutPorts(process: Process) {
    const { sim } = this.#world;
    const direct = tableOf(process, this.#world.ledger);
    const ledger = this.#variant.ledger?.(direct) ?? direct;
    const log = this.#log(process);
    const ids = { random: () => sim.random.next(), newId, setting: "one" };
    const probe = this.#world.provider.outages.probeFor(process);
    const breaker = new SimulatedBreaker({ ledger, clock: process.clock, log, probe, ...ids });
    return { ledger, breaker, clock: process.clock, log };
  }

  /** What every function can read but the one that speaks IMAP, which they ask. */
  #sources(process: Process): ConnectorRegistry {
    return sourcesOf(this.#world, process, this.#sourceScouts(process), this.#imapCall(process));
  }

  /** What the function can read that speaks IMAP. */
  #imap(process: Process) {
    const imap = imapOf(this.#world, process, this.#sourceScouts(process));
    return { imap, connectors: new Map([[imap.sourceType, imap]]) };
  }

  #sourceScouts(process: Process) {
    const vault = async () => new SlowSealer(ring, process);
    const { ledger } = this.#scoutPorts(process);
    return { ledger, scouts: new ScoutStore(ledger), vault };
  }

  /** Lambda's `Invoke`: an execution of its own, which goes on when nobody waits for it any more. */
  #imapCall(process: Process): RemoteSource {
    const { sim } = this.#world;
    return {
      call: async (call) => {
        const refused = { refused: "source_unavailable" } as const;
        await process.call("call imap", () => {}, refused);
        const answer = Process.run(sim, "imap call", timeoutsMs.imap, async (callee) => {
          const { imap, connectors } = this.#imap(callee);
          try {
            return await answerCall(connectors, call);
          } finally {
            await imap.close();
          }
        });
        const late = Promise.withResolvers<undefined>();
        const inTime = process.after(callTimeoutMs, () => late.resolve(undefined));
        const ended = await process.join(Promise.race([answer, late.promise]));
        inTime();
        if (ended?.how !== "done") throw new ScoutsError("source_unavailable", { data: { what: "call" } });
        return JSON.parse(JSON.stringify(ended.value));
      },
    };
  }

  #devicePorts(process: Process, connectors: ConnectorRegistry = this.#sources(process)) {
    const sessions = tableOf(process, this.#world.sessions);
    const { ledger, clock, log } = this.#scoutPorts(process);
    const { gateway, invariants, pageSize } = this.#world;
    const base: DeliveryPorts = {
      items: new ItemStore(ledger),
      scouts: new ScoutStore(ledger),
      quota: new SourceQuota(ledger, clock, () => this.#world.sim.random.next()),
      connections: new ConnectionStore(sessions),
      connectors,
      clock,
      log,
      sockets: {
        post: (connectionId, frame) =>
          process.call(
            `post ${frame.type} to ${connectionId}`,
            () => {
              const socket = gateway.sockets.get(connectionId);
              if (socket) invariants.posted(socket.userId, frame);
              return gateway.post(connectionId, withPageSize(frame, pageSize));
            },
            { refused: "internal", unknown: "internal", writes: true },
          ),
        close: async () => {},
      },
    };
    const delivery = this.#variant.delivery?.(base, ledger) ?? new Delivery(base);
    const accounts = new AccountStore(ledger);
    const health = (row: ScoutRow) => scoutHealth({ ledger, connectors, clock }, row);
    const sync = this.#syncQueues(process);
    const store = new SessionStore(sessions, async () => new SlowSealer(ring, process), chance);
    const nobody = { answer: () => Promise.reject(new ScoutsError("unknown_frame")) };
    const limit = new FrameLimit(new RateLimit(sessions, clock, frameRate), () => this.#world.sim.random.next());
    const rounds = new RoundStore(ledger);
    const leases = new CategorizeLeases(ledger);
    const handlers = { folders: nobody, runs: nobody };
    const after: After = (delayMs, work) => process.after(delayMs, work);
    return {
      ...base,
      delivery,
      accounts,
      limit,
      rounds,
      leases,
      health,
      sync,
      sessions: store,
      newId,
      after,
      ...handlers,
    };
  }

  #syncQueues(process: Process): Queue<SyncMessage> {
    return new SourceQueues<SyncMessage>(
      this.#queue(process, "sync"),
      new Map([["imap", this.#queue(process, "imap")]]),
    );
  }

  #queue<M extends SyncMessage | TriageMessage>(process: Process, name: QueueName): Queue<M> {
    const { invariants, consumers } = this.#world;
    const queue: Queue<M> = this.#world.queues[name];
    return {
      async send(messages) {
        for (let start = 0; start < messages.length; start += sendBatchSize) {
          const some = messages.slice(start, start + sendBatchSize);
          const effect = async () => {
            invariants.holdsNoContent(`queue ${name}`, some);
            await queue.send(some);
            consumers[name].wake();
          };
          const failures = { refused: "queue_unavailable", unknown: "queue_unavailable", writes: true } as const;
          await process.call(`queue ${name}.send ${some.length}`, effect, failures);
        }
      },
    };
  }

  #log(process: Process): Log {
    const { sim, invariants } = this.#world;
    const write = (code: string, data: unknown) => {
      const line = JSON.stringify(data ?? {});
      invariants.holdsNoContent("log", line);
      invariants.breaker.logged(code, process);
      sim.trace(`${process.name} logs ${code} ${line}`);
    };
    return {
      event: (code, data) => write(code, data),
      error: (code, error, data) => write(code, { ...data, error: described(error) }),
    };
  }
}

function withPageSize(frame: ServerFrame, pageSize: number): ServerFrame {
  return frame.type === "session_ready" ? { ...frame, limits: { ...frame.limits, pageSize } } : frame;
}

/** Class and code, which is what functions/log.ts writes of an error besides places in our own files. */
function described(error: unknown): string {
  if (error instanceof ScoutsError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}
