import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Device, type DeviceOptions } from "../../device/connection/device.ts";
import { systemPorts } from "../../device/connection/ports.ts";
import { type DeviceStore, openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { FakeCloud } from "./fake-cloud.ts";

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "scouts-device-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function temporaryStore(dataFolder = temporaryFolder(), now = Date.now): DeviceStore {
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder, now });
  onTestFinished(() => store.close());
  return store;
}

export async function startCloud(): Promise<FakeCloud> {
  const cloud = new FakeCloud();
  await cloud.start();
  onTestFinished(() => cloud.stop());
  return cloud;
}

/** A device on the cloud that reconnects within milliseconds. */
export function deviceOn(cloud: FakeCloud, store: DeviceStore, options: Partial<DeviceOptions> = {}): Device {
  const device = new Device({
    ...systemPorts,
    apiUrl: cloud.url,
    auth: async () => "token",
    store,
    backoff: { baseMs: 4, capMs: 20 },
    ...options,
  });
  onTestFinished(() => device.close());
  return device;
}

/** A generator of numbers in [0, 1) that repeats for a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
