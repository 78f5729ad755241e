import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import type { DeviceEvents } from "../../device/connection/events.ts";
import { EventLog } from "../../device/console/news/event-log.ts";
import { gatherNews } from "../../device/console/news/news.ts";
import { DeviceError } from "../../device/errors.ts";
import { addEntity } from "../../device/work/change-entities.ts";
import { ManualClock } from "../device/manual-clock.ts";
import { temporaryStore } from "../device/setting.ts";

test("a database that cannot be read for a moment ends nothing: what has changed is told at the next look", () => {
  const clock = new ManualClock(Date.parse("2026-11-27T23:59:45Z"));
  const store = temporaryStore(undefined, () => clock.now());
  const log = new EventLog("log");
  const told = vi.spyOn(log, "add");
  const device = { events: new EventEmitter<DeviceEvents>(), state: "ready" as const };
  const rescans = { onScan: () => () => {}, onProgress: () => () => {} };
  const newest = vi.spyOn(store.entityChanges, "newest");
  const snoozed = vi.spyOn(store.proposals, "snoozed");
  const stop = gatherNews({ device, store, clock, rescans, zone: () => "UTC" }, log);
  const away = () => {
    throw new DeviceError("store_busy");
  };
  newest.mockImplementationOnce(away);
  snoozed.mockImplementationOnce(away);
  addEntity(store, "task", { title: "Paint" }, clock.now());
  // Past midnight: a day begins.
  clock.advance(30_000);
  expect(told.mock.calls).toEqual(expect.arrayContaining([[{ type: "work" }], [{ type: "changed" }]]));
  stop();
});
