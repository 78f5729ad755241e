import { localHome } from "../../device/connect/local-home.ts";
import { Device } from "../../device/connection/device.ts";
import { systemPorts } from "../../device/connection/ports.ts";
import { DeviceSocket } from "../../device/connection/socket.ts";
import { type DeviceStore, openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";

/** Connections live at most so long before they are cut. */
const longestLifeMs = 2_500;

/** A device of the same person whose every connection is cut, without a closing handshake, at a random moment. */
export class CutDevice {
  readonly #device: Device;
  readonly #store: DeviceStore;
  readonly #cuts: () => number;

  private constructor(device: Device, store: DeviceStore, cuts: () => number) {
    this.#device = device;
    this.#store = store;
    this.#cuts = cuts;
  }

  static connect(homeFolder: string, ownFolder: string, random: () => number): CutDevice {
    let cuts = 0;
    class CutSocket extends DeviceSocket {
      constructor(url: string) {
        super(url);
        const timer = setTimeout(() => {
          cuts += 1;
          this.terminate();
        }, random() * longestLifeMs);
        this.once("close", () => clearTimeout(timer));
      }
    }
    const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: ownFolder });
    const device = new Device({
      ...systemPorts,
      ...localHome(homeFolder, Date.now),
      store,
      WebSocket: CutSocket,
      backoff: { baseMs: 50, capMs: 500 },
      random,
    });
    device.connect();
    return new CutDevice(device, store, () => cuts);
  }

  /** @returns how many connections were cut */
  async close(): Promise<number> {
    await this.#device.close({ keepSession: true });
    this.#store.close();
    return this.#cuts();
  }
}
