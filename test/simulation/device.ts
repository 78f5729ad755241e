import type { Clock } from "../../device/connection/clock.ts";
import { Device } from "../../device/connection/device.ts";
import { systemPorts } from "../../device/connection/ports.ts";
import { newFrameId } from "../../device/store/decide.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import type { DeviceId, ProposalId, UserId } from "../../events/ids.ts";
import type { Gateway } from "./gateway.ts";
import { newId } from "./ids.ts";
import { memoryStore } from "./memory-store.ts";
import type { Simulation } from "./simulation.ts";

/** The client looks this often for what another process has written into its store; here no other process does. */
const foreignWriteCheckMs = 500;
const hourMs = 3_600_000;

/** A person's device: the real client and the real store, which survives the client's crashes. */
export class SimulatedDevice {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly store: DeviceStore;
  /** How often the device told its person of a proposal. */
  readonly shown = new Map<ProposalId, number>();
  readonly #sim: Simulation;
  readonly #gateway: Gateway;
  #running: { device: Device; lives: boolean } | undefined;

  /** @param keeps what the store is taken for, to break it on purpose */
  constructor(
    sim: Simulation,
    gateway: Gateway,
    userId: UserId,
    keeps: (store: DeviceStore) => DeviceStore = (store) => store,
  ) {
    this.#sim = sim;
    this.#gateway = gateway;
    this.userId = userId;
    this.store = keeps(memoryStore(() => sim.nowMs, newId));
    this.deviceId = this.store.identity.get().deviceId;
  }

  get isUp(): boolean {
    return this.#running !== undefined;
  }

  get name(): string {
    return `device …${this.deviceId.slice(-3)}`;
  }

  start(): void {
    if (this.#running) return;
    this.#sim.trace(`${this.name} starts`);
    const life = { lives: true };
    const device = new Device({
      ...systemPorts,
      newFrameId: () => newFrameId(newId),
      apiUrl: "http://127.0.0.1:1/",
      auth: async () => this.userId,
      store: this.store,
      clock: this.#clock(life),
      random: () => this.#sim.random.next(),
      WebSocket: this.#gateway.socketClass(() => life.lives),
    });
    device.events.on("proposal", ({ id }) => this.shown.set(id, (this.shown.get(id) ?? 0) + 1));
    device.events.on("problem", ({ code }) => this.#sim.trace(`${this.name}: ${code}`));
    this.#running = Object.assign(life, { device });
    device.connect();
  }

  /** The process dies; what it had committed stays. */
  crash(): void {
    if (!this.#running) return;
    this.#sim.trace(`${this.name} crashes`);
    this.#running.lives = false;
    this.#running = undefined;
    for (const socket of this.#gateway.sockets.values()) {
      if (socket.deviceId === this.deviceId && socket.clientLives) this.#gateway.cut(socket);
    }
  }

  /** Says goodbye and goes. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    await running.device.close({ keepSession: this.#sim.random.chance(0.5) });
    if (this.#running === running) this.#running = undefined;
  }

  /** The person decides on one of the proposals shown. */
  decideOne(): void {
    const pending = this.store.proposals.list({ statuses: ["pending"] });
    if (!this.#running || pending.length === 0) return;
    const { id } = this.#sim.random.pick(pending);
    this.#sim.trace(`${this.name} decides on ${id.slice(-12)}`);
    this.#running.device.decide(id, this.#sim.random.chance(0.5) ? "approved" : "rejected");
  }

  /** Another process has written into the store, and the device looks: its own timer for that is slow here. */
  look(): void {
    this.#running?.device.pull();
  }

  /** Calls back when the device holds everything and the cloud has accepted everything. */
  onceSettled(call: () => void): void {
    this.#running?.device.settled().then(call, () => {});
  }

  #clock(life: { lives: boolean }): Clock {
    return {
      now: () => this.#sim.nowMs,
      after: (delayMs, work) =>
        this.#sim.after(delayMs === foreignWriteCheckMs ? hourMs : delayMs, `${this.name} timer`, () => {
          if (life.lives) work();
        }),
    };
  }
}
