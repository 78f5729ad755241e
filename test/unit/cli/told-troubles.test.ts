import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { tellTroubles } from "../../../cli/scouts/shown/told-troubles.ts";
import type { DeviceEvents } from "../../../device/connection/events.ts";
import { DeviceError } from "../../../device/errors.ts";
import { temporaryStore } from "../../device/setting.ts";

test("a database that is locked just as it tells which scouts are off ends nothing", async () => {
  const store = temporaryStore();
  const events = new EventEmitter<DeviceEvents>();
  const asked = Promise.withResolvers<void>();
  const off = () => {
    asked.resolve();
    throw new DeviceError("store_busy");
  };
  const auth = async () => {
    throw new DeviceError("login_needed");
  };
  const parts = { device: { events, state: "ready" }, store: { knownScouts: { ...store.knownScouts, off } } };
  const tell = { off: () => {}, mended: () => {} };
  const rejected: unknown[] = [];
  const note = (reason: unknown) => void rejected.push(reason);
  process.on("unhandledRejection", note);
  tellTroubles({ ...parts, api: { apiUrl: "http://127.0.0.1:1", auth } } as never, Date.now, tell);
  await asked.promise;
  await new Promise(setImmediate);
  process.off("unhandledRejection", note);
  expect(rejected).toEqual([]);
});
