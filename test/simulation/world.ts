import { ulid } from "ulidx";
import { socketLimits } from "../../events/frames/limits.ts";
import type { ScoutId, UserId } from "../../events/ids.ts";
import type { SyncMessage, TriageMessage } from "../../events/queues.ts";
import { ledgerKey } from "../../shared/keys.ts";
import { blindAddress, blindSource, userIdOf } from "../../shared/privacy/opaque.ts";
import { RingSealer } from "../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import type { ScoutAtSource } from "../../shared/scouts/connectors/connector.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { isUnjudged, parseItemRow } from "../../shared/scouts/items/item-row.ts";
import { UnjudgedStore } from "../../shared/scouts/items/unjudged-store.ts";
import { createScout } from "../../shared/scouts/lifecycle/create-scout.ts";
import { parseScoutRow, type ScoutRow } from "../../shared/scouts/scout-row.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { syncHint } from "../../shared/scouts/sync/sync-hint.ts";
import { MailboxStore } from "../../shared/scouts/watch/mailbox-store.ts";
import { noLog } from "../memory/log.ts";
import { MemoryQueue } from "../memory/queue.ts";
import { addressKey, Cloud, ring, timeoutsMs, triageReserveMs, type Variant } from "./cloud.ts";
import { Consumer } from "./consumer.ts";
import { SimulatedDevice } from "./device.ts";
import { Gateway } from "./gateway.ts";
import { newId } from "./ids.ts";
import { StepInvariants } from "./invariants.ts";
import { directTable, LaggingTable } from "./lagging-table.ts";
import { canary, type SimulatedMail, SimulatedMailbox } from "./mailbox.ts";
import { ModelProvider } from "./model.ts";
import { Process } from "./process.ts";
import type { Simulation } from "./simulation.ts";
import { SimulatedFeed } from "./sources/feed.ts";
import { SimulatedFiles } from "./sources/files.ts";
import { SimulatedImap } from "./sources/imap.ts";

export interface ScoutInWorld {
  readonly userId: UserId;
  readonly scoutId: ScoutId;
  readonly mailbox: SimulatedMailbox;
  /** The mailbox's history id when it was connected: mail after it is the scout's business. */
  readonly connectedAt: bigint;
  /** Its owner has asked for it to be deleted: nothing is owed any more. */
  deleted: boolean;
}

const minuteMs = 60_000;

export type QueueName = "sync" | "triage" | "imap";

/** Sources there are, by the words of connectors. */
const kinds = { gmail: SimulatedMailbox, imap: SimulatedImap, feed: SimulatedFeed, mailbox: SimulatedFiles } as const;
export type SourceKind = keyof typeof kinds;

/** Everything of one run: the cloud, the mailboxes it reads, the devices it serves. */
export class World {
  readonly sim: Simulation;
  readonly ledger: LaggingTable;
  readonly sessions: LaggingTable;
  readonly queues: Readonly<Record<QueueName, MemoryQueue<SyncMessage | TriageMessage>>>;
  readonly consumers: Readonly<Record<QueueName, { wake(): void }>>;
  readonly provider: ModelProvider;
  readonly gateway: Gateway;
  readonly cloud: Cloud;
  readonly invariants: StepInvariants;
  readonly mailboxes: SimulatedMailbox[] = [];
  readonly scouts: ScoutInWorld[] = [];
  readonly devices: SimulatedDevice[] = [];
  /** Items that were shown without a verdict, whatever they are now. */
  readonly shownUnjudged = new Set<string>();
  /** Items the operator has had judged anew. */
  readonly redriven = new Set<string>();
  /** Proposals a page, as `session_ready` tells the devices: small, so that there are many pages. */
  readonly pageSize: number;
  readonly mailboxOf = (scoutId: string): SimulatedMailbox => {
    const scout = this.scouts.find((each) => each.scoutId === scoutId);
    if (!scout) throw new RangeError(`No scout ${scoutId}`);
    return scout.mailbox;
  };

  constructor(sim: Simulation, variant: Variant = {}) {
    this.sim = sim;
    this.pageSize = sim.random.pick([1, 2, 3, socketLimits.pageSize]);
    this.invariants = new StepInvariants(this);
    this.cloud = new Cloud(this, variant);
    // Indexes of infra/storage.ts.
    this.ledger = new LaggingTable(
      sim,
      "Ledger",
      { attributes: ["dueShard", "openFor"], projections: { recent: ["status"] } },
      (key, before, after) => this.invariants.ledgerWritten(key, before, after),
    );
    this.sessions = new LaggingTable(
      sim,
      "Sessions",
      { attributes: ["expiryShard"], projections: {} },
      (_, __, after) => this.invariants.holdsNoContent("Sessions", after),
    );
    // Settings of infra/queues.ts.
    this.queues = {
      sync: new MemoryQueue({ visibilityMs: 12 * minuteMs, maxReceives: 5, fifo: true }, () => sim.nowMs),
      triage: new MemoryQueue({ visibilityMs: 6 * minuteMs, maxReceives: 5 }, () => sim.nowMs),
      imap: new MemoryQueue({ visibilityMs: 12 * minuteMs, maxReceives: 5 }, () => sim.nowMs),
    };
    this.consumers = {
      sync: new Consumer(sim, this.queues.sync, {
        name: "sync",
        timeoutMs: timeoutsMs.sync,
        reserveMs: 20_000,
        batchSize: 10,
        concurrency: 4,
        work: (process, batch) => this.cloud.sync(process, batch),
        onDeleted: () => {},
      }),
      triage: new Consumer(sim, this.queues.triage, {
        name: "triage",
        timeoutMs: timeoutsMs.triage,
        reserveMs: triageReserveMs,
        batchSize: 10,
        concurrency: 4,
        work: (process, batch) => this.cloud.triage(process, batch),
        onDeleted: ({ body }) => this.invariants.triageMessageDeleted(body),
      }),
      imap: new Consumer(sim, this.queues.imap, {
        name: "imap",
        timeoutMs: timeoutsMs.imap,
        reserveMs: 20_000,
        batchSize: 10,
        concurrency: 4,
        work: (process, batch) => this.cloud.imap(process, batch),
        onDeleted: ({ body }) => {
          if (!("cause" in JSON.parse(body))) this.invariants.triageMessageDeleted(body);
        },
      }),
    };
    this.provider = new ModelProvider(sim, (mailId) => this.#natureOf(mailId));
    this.provider.outages.onAsked = (what, process) => this.invariants.breaker.asked(what, process);
    this.gateway = new Gateway(sim, this.cloud);
  }

  mailOf(scoutId: string, ref: string): SimulatedMail | undefined {
    const mailbox = this.mailboxOf(scoutId);
    return mailbox.mails.find((mail) => mailbox.refOf(scoutId, mail) === ref);
  }

  addMailbox(kind: SourceKind = "gmail"): SimulatedMailbox {
    const mailbox = new kinds[kind](`m${this.mailboxes.length}.example`, this.sim.random);
    this.mailboxes.push(mailbox);
    return mailbox;
  }

  addUser(name: string): UserId {
    return userIdOf("https://issuer.example/", name);
  }

  /** A scout that has just been connected, as completing the consent leaves it. */
  async addScout(userId: UserId, mailbox: SimulatedMailbox): Promise<void> {
    const ledger = directTable(this.ledger);
    const scouts = new ScoutStore(ledger);
    const clock = () => this.sim.nowMs;
    const admin = {
      ledger,
      scouts,
      vault: async () => new RingSealer(ring),
      // None is asked: the source is connected below.
      connectors: new Map([[mailbox.sourceType, {} as never]]),
      mailboxes: new MailboxStore(ledger),
      addressKey,
      sync: this.queues.sync,
      clock,
      newId,
      log: noLog,
    };
    const profile = { sourceType: mailbox.sourceType, name: `${canary} scout`, purpose: `${canary} purpose` };
    const { id: scoutId } = await createScout(admin, userId, profile);
    this.scouts.push({ userId, scoutId, mailbox, connectedAt: mailbox.historyId, deleted: false });
    if (this.sim.faults.strikes("scout_rests")) {
      const soon = { set: [[["pauseAfterInactiveDays"], this.sim.random.int(1, 3)]] } as const;
      await ledger.update(ledgerKey.scout(userId, scoutId), soon);
    }
    await this.connect(userId, scoutId);
  }

  /** The row of a scout as it stands. */
  rowOf({ userId, scoutId }: ScoutAtSource): ScoutRow | undefined {
    const item = this.ledger.items.peek(ledgerKey.scout(userId, scoutId));
    return item && parseScoutRow(item);
  }

  isDeleted(scout: string): boolean {
    return this.scouts.some(({ scoutId, deleted }) => scoutId === scout && deleted);
  }

  /**
   * The person gives access (again): as shared/scouts/connectors/gmail/connect.ts does once it has the tokens, and
   * shared/scouts/lifecycle/reconnect-scout.ts once the source was reached.
   */
  async connect(userId: UserId, scoutId: ScoutId): Promise<void> {
    if (this.isDeleted(scoutId)) return;
    const ledger = directTable(this.ledger);
    const scouts = new ScoutStore(ledger);
    const mailbox = this.mailboxOf(scoutId);
    const kept = mailbox.settingsOf(scoutId);
    const identity = new Transient(`${userId} ${mailbox.address}`);
    const address = kept
      ? blindSource(addressKey, mailbox.sourceType, identity)
      : blindAddress(addressKey, mailbox.address);
    const settings = new SettingsVault(scouts, async () => new RingSealer(ring));
    const sealed = kept && (await settings.seal({ userId, scoutId }, new Transient(kept)));
    const cursor = mailbox.cursorNow(scoutId, this.sim.nowMs);
    mailbox.withdrawn.delete(scoutId);
    if (mailbox.hasWatch) await new MailboxStore(ledger).add(address, { userId, scoutId });
    await scouts.connected(await scouts.get(userId, scoutId), {
      address,
      cursor,
      ...(sealed === undefined ? {} : { sealedSettings: sealed }),
      dueAtMs: this.sim.nowMs + 15 * minuteMs,
      nowMs: this.sim.nowMs,
    });
    const queue = mailbox.sourceType === "imap" ? "imap" : "sync";
    const sourceType = mailbox.sourceType;
    await this.queues[queue].send([syncHint({ userId, scoutId, sourceType }, "connected", ulid())]);
    this.consumers[queue].wake();
  }

  addDevice(userId: UserId): SimulatedDevice {
    const device = new SimulatedDevice(this.sim, this.gateway, userId);
    this.devices.push(device);
    return device;
  }

  /** The owner of a scout asks for something, and again when it does not succeed. */
  async ask(what: string, request: (process: Process) => Promise<void>, tries = 5): Promise<void> {
    const ended = await Process.run(this.sim, what, timeoutsMs.http, request);
    if (ended.how === "done" || tries === 0) return;
    this.sim.after(
      this.sim.random.int(1_000, minuteMs),
      `${what} again`,
      () => void this.ask(what, request, tries - 1),
    );
  }

  pause(scout: ScoutInWorld, paused: boolean): void {
    const what = paused ? "pause" : "resume";
    void this.ask(what, (process) => this.cloud.pause(process, scout, paused));
  }

  /** @param tries how often its owner asks again before they give it up */
  delete(scout: ScoutInWorld, tries?: number): void {
    scout.deleted = true;
    void this.ask("delete", (process) => this.cloud.delete(process, scout), tries);
  }

  /** The operator has every item judged that was set aside or shown without a verdict. */
  async redriveItems(): Promise<void> {
    const unjudged = new UnjudgedStore(directTable(this.ledger));
    for (const row of this.ledger.items
      .dump()
      .filter(({ sk }) => sk.startsWith("ITEM#"))
      .map(parseItemRow)) {
      if (this.isDeleted(row.scoutId) || !(isUnjudged(row) || row.status === "dead")) continue;
      this.redriven.add(`${row.scoutId}.${row.ref}`);
      await unjudged.redrive(row, this.sim.nowMs);
    }
  }

  /** One tick of a timer: EventBridge calls the function, and again when it fails. */
  tick(cron: "poll" | "due" | "sweep" | "reservations"): void {
    void Process.run(this.sim, cron, timeoutsMs.cron, (process) => this.cloud[cron](process));
  }

  /** Google tells the webhook; a nack is delivered again. The program that serves files tells its home, once. */
  async push(mailbox: SimulatedMailbox, messageId: string, tries = 5): Promise<void> {
    if (mailbox.sourceType === "mailbox") {
      for (const scout of this.scouts.filter((each) => each.mailbox === mailbox)) {
        await Process.run(this.sim, "run", timeoutsMs.http, (process) => this.cloud.run(process, scout));
      }
      return;
    }
    const ended = await Process.run(this.sim, "webhook", timeoutsMs.http, (process) =>
      this.cloud.push(process, mailbox.address, messageId),
    );
    if (ended.how === "done" || tries === 0) return;
    this.sim.after(10_000, "push again", () => void this.push(mailbox, messageId, tries - 1));
  }

  #natureOf(mailId: string) {
    const mail = this.mailboxes.flatMap(({ mails }) => mails).find(({ id }) => id === mailId);
    if (!mail) throw new RangeError(`The model was asked about mail ${mailId}, which does not exist`);
    return mail.nature;
  }
}
