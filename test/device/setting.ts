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
