import type { DeviceStore } from "../../../device/store/open.ts";
import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import { type ItemRef, itemRef, scoutId, type UserId } from "../../../events/ids.ts";
import { AccountStore } from "../../../shared/billing/account-store.ts";
import { ConnectionStore } from "../../../shared/devices/connection-store.ts";
import { Delivery, type DeliveryPorts } from "../../../shared/devices/delivery.ts";
import { FrameLimit } from "../../../shared/devices/frame-limit.ts";
import { answerFrame } from "../../../shared/devices/frames/answer.ts";
import type { DevicePorts, From } from "../../../shared/devices/frames/device-ports.ts";
import { sessionDisconnected } from "../../../shared/devices/session-disconnected.ts";
import { SessionStore } from "../../../shared/devices/session-store.ts";
import { issueTicket, spendTicket, type TicketHolder } from "../../../shared/devices/ticket.ts";
import type { Log } from "../../../shared/ports/log.ts";
import type { Table } from "../../../shared/ports/table.ts";
import { userIdOf } from "../../../shared/privacy/opaque.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { ScoutAtSource, SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import { itemMetadata } from "../../../shared/scouts/connectors/metadata.ts";
import { CategorizeLeases } from "../../../shared/scouts/items/categorize-leases.ts";
import { type ItemRow, parseItemRow } from "../../../shared/scouts/items/item-row.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { RoundStore } from "../../../shared/scouts/items/round-store.ts";
import { dailyMaintenance } from "../../../shared/scouts/lifecycle/daily-maintenance.ts";
import { SourceQuota } from "../../../shared/scouts/quota/source-quota.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { MemoryQueue } from "../../memory/queue.ts";
import { ring, timeoutsMs } from "../cloud.ts";
import { SimulatedDevice } from "../device.ts";
import { Gateway } from "../gateway.ts";
import { chance, newId } from "../ids.ts";
import { directTable, LaggingTable, tableOf } from "../lagging-table.ts";
import { type Ended, Process } from "../process.ts";
import type { Simulation } from "../simulation.ts";
import { SlowSealer } from "../slow-sealer.ts";
import { canary, RoundInvariants } from "./invariants.ts";

/** A way to break rounds on purpose, to see whether a run notices. */
export interface WorkVariant {
  ledger?(table: Table): Table;
  /** What a device is told in place of a frame. */
  told?(frame: ServerFrame): ServerFrame;
  /** What the cloud hears in place of what a device said. */
  heard?(text: string): string;
  store?(store: DeviceStore): DeviceStore;
  /** Before a person approves something. */
  beforeApproval?(store: DeviceStore, id: string): void;
}

const ticketKey = new Uint8Array(32).fill(2);
const mostLateMs = 8 * 86_400_000;
export const inbox = scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEA");

/** A person with several devices, what is proposed to them, and the cloud in between, with everything that may go wrong. */
export class WorkWorld {
  readonly sim: Simulation;
  readonly ledger: LaggingTable;
  readonly sessions: LaggingTable;
  readonly gateway: Gateway;
  readonly invariants: RoundInvariants;
  readonly devices: SimulatedDevice[] = [];
  readonly userId: UserId = userIdOf("https://issuer.example/", "ada");
  /** As `inVirtualTime` wants it. */
  readonly cloud = { ticket: (holder: TicketHolder) => this.#ticket(holder) };
  readonly #variant: WorkVariant;

  constructor(sim: Simulation, variant: WorkVariant = {}) {
    this.sim = sim;
    this.#variant = variant;
    this.invariants = new RoundInvariants(this);
    this.ledger = new LaggingTable(
      sim,
      "ledger",
      { attributes: ["openFor"], projections: { recent: ["status"] } },
      (_, before, after) => this.invariants.written(before, after),
    );
    this.sessions = new LaggingTable(
      sim,
      "sessions",
      { attributes: ["expiryShard"], projections: {} },
      (_, __, after) => this.invariants.holdsNoContent("sessions", after),
    );
    this.gateway = new Gateway(sim, {
      authorize: (ticket) => this.#authorize(ticket),
      message: (from, text) => this.#message(from, text),
      disconnected: (from) => this.#disconnected(from),
    });
  }

  addDevice(): SimulatedDevice {
    const device = new SimulatedDevice(this.sim, this.gateway, this.userId, this.#variant.store);
    this.devices.push(device);
    return device;
  }

  /** The person approves what a variant may have made something else of. */
  beforeApproval(store: DeviceStore, id: string): void {
    this.#variant.beforeApproval?.(store, id);
  }

  /** Something is judged as relevant, and sent to who is connected. */
  async propose(text: string): Promise<void> {
    const ref = itemRef.parse(text);
    const judged = { status: "queued", sourceType: "gmail", reasonCode: "personal", confidence: 1 } as const;
    const by = { inputTokens: 1, outputTokens: 1, model: "m", promptVersion: "p@1" };
    const items = new ItemStore(directTable(this.ledger));
    const id = { userId: this.userId, scoutId: inbox, ref };
    const row = await items.judge(id, { ...judged, ...by }, this.sim.nowMs);
    if (row === false) return;
    await Process.run(this.sim, `triage ${ref}`, timeoutsMs.triage, (process) =>
      this.#devicePorts(process).delivery.sendFresh([{ row, item: itemOf(ref), reason: new Transient(canary) }]),
    );
  }

  rows(): ItemRow[] {
    return this.ledger.items
      .dump()
      .filter(({ sk }) => sk.startsWith("ITEM#"))
      .map(parseItemRow);
  }

  /** The daily pass of the scout: what nobody decided for thirty days expires. */
  async daily(): Promise<void> {
    await Process.run(this.sim, "maintenance", timeoutsMs.cron, async (process) => {
      const ledger = this.#ledgerOf(process);
      const scout = { userId: this.userId, scoutId: inbox, createdAt: this.sim.nowMs };
      await dailyMaintenance({ ledger, clock: process.clock, log: this.#log() }, scout as never);
    });
  }

  /** A frame that was said before is said once more, by whatever connection of its device is open then. */
  #lateAgain(holder: TicketHolder, again: (connectionId: string) => void): void {
    const { random } = this.sim;
    if (!this.sim.faults.on || !random.chance(0.08)) return;
    const delayMs = random.chance(0.5) ? random.int(1, 60_000) : random.int(60_000, mostLateMs);
    this.sim.after(delayMs, "late frame", () => {
      const socket = [...this.gateway.sockets.values()].findLast(
        ({ deviceId, open }) => open && deviceId === holder.deviceId,
      );
      if (socket) again(socket.connectionId);
    });
  }

  #ticket(holder: TicketHolder): Promise<Ended<string>> {
    return Process.run(this.sim, "tickets", timeoutsMs.http, (process) =>
      issueTicket(ticketKey, holder, process.clock, newId),
    );
  }

  async #authorize(ticket: string): Promise<TicketHolder | undefined> {
    const ended = await Process.run(this.sim, "authorizer", timeoutsMs.socket, (process) =>
      spendTicket(ticketKey, ticket, tableOf(process, this.sessions), process.clock),
    );
    return ended.how === "done" ? ended.value : undefined;
  }

  async #message(from: From, text: string, isLate = false): Promise<boolean> {
    this.invariants.holdsNoContent("a device's frame", text);
    const heard = this.#variant.heard?.(text) ?? text;
    const isAboutDecisions = /"type":"(scout_proposal|proposals_check)/.test(text);
    if (!isLate && isAboutDecisions) {
      this.#lateAgain(from, (connectionId) => void this.#message({ ...from, connectionId }, text, true));
    }
    const ended = await Process.run(this.sim, `frame ${from.connectionId}`, timeoutsMs.socket, (process) =>
      answerFrame(this.#devicePorts(process), from, heard),
    );
    return ended.how === "done";
  }

  #disconnected(from: From): void {
    void Process.run(this.sim, `disconnect ${from.connectionId}`, timeoutsMs.socket, async (process) => {
      const sessions = tableOf(process, this.sessions);
      await new ConnectionStore(sessions).remove(from.userId, from.connectionId);
      await sessionDisconnected(sessions, from, process.clock());
    });
  }

  #ledgerOf(process: Process): Table {
    const direct = tableOf(process, this.ledger);
    return this.#variant.ledger?.(direct) ?? direct;
  }

  #devicePorts(process: Process): DevicePorts {
    const { clock } = process;
    const ledger = this.#ledgerOf(process);
    const sessions = tableOf(process, this.sessions);
    const nobody = { answer: () => Promise.reject(new ScoutsError("unknown_frame")) };
    const base: DeliveryPorts = {
      items: new ItemStore(ledger),
      scouts: new ScoutStore(ledger),
      quota: new SourceQuota(ledger, clock, () => this.sim.random.next()),
      connections: new ConnectionStore(sessions),
      connectors: new Map([["gmail", sourceOf(process)]]),
      clock,
      log: this.#log(),
      sockets: {
        post: (connectionId, frame) =>
          process.call(`post ${frame.type} to ${connectionId}`, () => this.#post(connectionId, frame), {
            refused: "internal",
            unknown: "internal",
            writes: true,
          }),
        close: async () => {},
      },
    };
    return {
      ...base,
      delivery: new Delivery(base),
      sessions: new SessionStore(sessions, async () => new SlowSealer(ring, process), chance),
      accounts: new AccountStore(ledger),
      limit: new FrameLimit({ take: async () => {} }, () => this.sim.random.next()),
      rounds: new RoundStore(ledger),
      leases: new CategorizeLeases(ledger),
      health: () => Promise.reject(new ScoutsError("scout_not_found")),
      sync: new MemoryQueue({ visibilityMs: 1, maxReceives: 1, fifo: true }, () => this.sim.nowMs),
      folders: nobody,
      runs: nobody,
      newId,
      after: (delayMs, work) => process.after(delayMs, work),
    };
  }

  #post(connectionId: string, frame: ServerFrame): "sent" | "gone" {
    const told = this.#variant.told?.(frame) ?? frame;
    this.invariants.posted(frame);
    const socket = this.gateway.sockets.get(connectionId);
    if (socket && /^scout_proposal/.test(frame.type)) {
      this.#lateAgain(socket, (again) => void this.gateway.post(again, told));
    }
    return this.gateway.post(connectionId, told);
  }

  #log(): Log {
    const write = (code: string, data: unknown) => {
      this.invariants.holdsNoContent("log", data);
      this.sim.trace(`logs ${code} ${JSON.stringify(data ?? {})}`);
    };
    const said = (error: unknown) => (isScoutsError(error) ? error.code : String(error));
    return { event: write, error: (code, error, data) => write(code, { ...data, error: said(error) }) };
  }
}

const itemOf = (ref: ItemRef) =>
  itemMetadata({
    subject: `${canary} ${ref}`,
    sender: { name: canary, address: "bea@example.org" },
    snippet: canary,
    receivedAtMs: 0,
    present: true,
    relation: "to",
    automatic: false,
  });

const sourceOf = (process: Process) =>
  ({
    sourceType: "gmail",
    fetchMetadata: (_: ScoutAtSource, ref: ItemRef) =>
      process.call(`source ${ref}`, () => itemOf(ref), { refused: "source_unavailable" }),
  }) as unknown as SourceConnector;
