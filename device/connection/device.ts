import { EventEmitter } from "node:events";
import type { ProposalId } from "../../events/ids.ts";
import type { CloudApi } from "../connect/cloud-api.ts";
import { DeviceError, isDeviceError } from "../errors.ts";
import { decideProposal, reopenProposal, type UndoneDecision, undoDecision } from "../store/decide.ts";
import type { DeviceStore } from "../store/open.ts";
import type { StoredProposal } from "../store/schema.ts";
import { Connection } from "./connection.ts";
import { BackgroundReads } from "./content/background-reads.ts";
import { ContentChannel } from "./content/content-channel.ts";
import type { FullItem } from "./content/item-assembly.ts";
import { requestItem } from "./content/item-request.ts";
import { Deliveries } from "./deliveries/deliveries.ts";
import { askAboutOffScouts } from "./deliveries/scout-news.ts";
import type { DeviceEvents } from "./events.ts";
import type { ConnectionPorts } from "./ports.ts";
import type { ConnectionState } from "./state.ts";

/** How often the device looks whether another process (the command line) has put something into the outbox. */
const foreignWriteCheckMs = 500;

export interface DeviceOptions extends CloudApi, ConnectionPorts {
  readonly store: DeviceStore;
}

/** A device: one store, at most one connection at a time, which it keeps up by itself. */
export class Device {
  readonly events = new EventEmitter<DeviceEvents>();
  readonly #options: DeviceOptions;
  readonly #api: CloudApi;
  readonly #connection: Connection;
  readonly #deliveries: Deliveries;
  readonly #backgroundReads: BackgroundReads;
  readonly #settling = new Set<PromiseWithResolvers<void>>();
  #abort = new AbortController();
  #cancelWatch = () => {};

  constructor(options: DeviceOptions) {
    const { apiUrl, addressNow, auth, store } = options;
    const { deviceId } = store.identity.get();
    this.#options = options;
    this.#api = { apiUrl, addressNow, auth };
    this.#connection = new Connection({ ...options, api: this.#api, deviceId, transaction: store.transaction });
    this.#backgroundReads = new BackgroundReads(this.#connection);
    this.#deliveries = new Deliveries({
      ...options,
      connection: this.#connection,
      events: this.events,
      onReady: () => this.#onReady(),
      onProgress: () => this.#checkSettled(),
    });
    this.#connection.join(this.#deliveries);
  }

  get state(): ConnectionState {
    return this.#connection.state;
  }

  /** Connects, and reconnects until {@link close}. */
  connect(): void {
    if (this.state !== "idle") return;
    this.#abort = new AbortController();
    this.#options.store.outbox.prune();
    this.#connection.connect();
  }

  /**
   * Resolves when the device is connected, holds every open proposal the cloud has told it of, and the cloud has
   * accepted everything in the outbox. @throws (rejects) DeviceError `device_closed`.
   */
  settled(): Promise<void> {
    const waiter = Promise.withResolvers<void>();
    this.#settling.add(waiter);
    this.#checkSettled();
    return waiter.promise;
  }

  /** Looks for new proposals now; pushes come anyway, and every few minutes it looks by itself. */
  pull(): void {
    this.#deliveries.pull();
  }

  /** Something was put into the outbox; what other processes put there is seen by itself. */
  sendOutbox(): void {
    this.#deliveries.sendOutbox();
  }

  /**
   * A person's decision, kept and sent.
   *
   * @param notBefore it is not sent before this (milliseconds since the epoch), and can be undone until then
   * @throws DeviceError `proposal_unknown`, `proposal_decided`.
   */
  decide(id: ProposalId, outcome: "approved" | "rejected", notBefore?: number): StoredProposal {
    const { store, newFrameId } = this.#options;
    const decided = decideProposal(store, id, outcome, newFrameId, notBefore);
    this.#deliveries.sendOutbox();
    return decided;
  }

  /** Takes a decision back, as `undoDecision` does. @throws DeviceError */
  undo(id: ProposalId): UndoneDecision {
    const { store, newFrameId } = this.#options;
    const undone = undoDecision(store, id, newFrameId);
    this.#deliveries.sendOutbox();
    return undone;
  }

  /** Opens what was decided for another decision, as `reopenProposal` does. @throws DeviceError */
  reopen(id: ProposalId): StoredProposal {
    const { store, newFrameId } = this.#options;
    const open = reopenProposal(store, id, newFrameId);
    this.#deliveries.sendOutbox();
    return open;
  }

  /**
   * The full text from the source, for this one look.
   *
   * @param options.isWaitedFor somebody does; else what is asked for in one turn is asked for together
   * @throws (rejects) DeviceError `connection_lost`, or the cloud's ScoutsError.
   */
  requestItem(id: ProposalId, { isWaitedFor = true } = {}): Promise<FullItem> {
    return isWaitedFor ? requestItem(this.#connection, id) : this.#backgroundReads.read(id);
  }

  /** Work on content over this device's connection; `patienceMs` after the connection is lost it gives up. */
  openContent(): ContentChannel {
    const { deviceId } = this.#options.store.identity.get();
    return new ContentChannel(this.#connection, { api: this.#api, deviceId, ports: this.#options });
  }

  /** Ends the connection, and the session unless `keepSession`. The outbox keeps what was not accepted. */
  async close({ keepSession = false } = {}): Promise<void> {
    if (this.state === "idle" || this.state === "closing") return;
    this.#abort.abort();
    this.#cancelWatch();
    await this.#connection.close({ bye: !keepSession });
    if (!keepSession) this.#deliveries.remember({ sessionId: null });
    for (const { reject } of this.#settling) reject(new DeviceError("device_closed"));
    this.#settling.clear();
  }

  #onReady(): void {
    const { store } = this.#options;
    this.#watchForeignWrites(store.foreignVersion());
    askAboutOffScouts(this.#api, store, this.events, this.#abort.signal).catch((error: unknown) => {
      if (!isDeviceError(error)) throw error;
      this.#deliveries.problem(error.code, error.message);
    });
  }

  #watchForeignWrites(seen: number): void {
    this.#cancelWatch();
    this.#cancelWatch = this.#connection.clock.after(foreignWriteCheckMs, () => {
      const version = this.#options.store.foreignVersion();
      if (version !== seen) this.#deliveries.sendOutbox();
      this.#watchForeignWrites(version);
    });
  }

  #checkSettled(): void {
    if (this.#settling.size === 0 || !this.#deliveries.isSettled) return;
    for (const { resolve } of this.#settling) resolve();
    this.#settling.clear();
  }
}
