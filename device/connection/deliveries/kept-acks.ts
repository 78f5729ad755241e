import type { DeliveryPorts } from "./delivery-ports.ts";

/** Its value is a time by the cloud's clock, in milliseconds. */
const keptCursor = "proposals.kept";

/**
 * Until when this device's store certainly holds all that it has acknowledged. A store that was restored from an older copy says an
 * older time, and is given again what it lacks (docs/decisions/0510).
 */
export class KeptAcks {
  readonly #ports: Pick<DeliveryPorts, "connection" | "store">;

  constructor(ports: Pick<DeliveryPorts, "connection" | "store">) {
    this.#ports = ports;
  }

  /** By the cloud's clock, in milliseconds; undefined for a device that has never been given anything. */
  get untilMs(): number | undefined {
    const value = this.#ports.store.cursors.get(keptCursor)?.value;
    return value === undefined ? undefined : Number(value);
  }

  /** Before a greeting is noted: in a store from before this was, the last sign of the cloud stands for it. */
  begin(): void {
    const { store } = this.#ports;
    const { seenAt, clockOffsetMs } = store.identity.get();
    if (seenAt !== null && this.untilMs === undefined) this.#set(seenAt + (clockOffsetMs ?? 0));
  }

  /** All that was acknowledged until now is in the store. */
  note(): void {
    const { connection, store } = this.#ports;
    this.#set(connection.clock.now() + (store.identity.get().clockOffsetMs ?? 0));
  }

  #set(atMs: number): void {
    this.#ports.store.cursors.set(keptCursor, String(Math.max(0, Math.round(atMs))));
  }
}
