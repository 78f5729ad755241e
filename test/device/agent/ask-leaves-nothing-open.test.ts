import { existsSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { activityPath } from "../../../device/activity/activity-store.ts";
import { askAgent } from "../../../device/agent/ask-agent.ts";
import { systemClock } from "../../../device/connection/clock.ts";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { addEntity } from "../../../device/work/change-entities.ts";
import { temporaryFolder } from "../setting.ts";

/** Files below a folder that this process has open. */
function openBelow(folder: string): string[] {
  const all = existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd") : [];
  return all.map(linkOf).filter((path) => path.startsWith(folder));
}

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // Closed since it was listed.
    return "";
  }
}

function asking() {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  onTestFinished(() => store.close());
  addEntity(store, "note", { title: "Pump" }, 1_900_000_000_000);
  const request = { agent: "home", message: "Where is the pump?" } as const;
  const ask = (openContent: () => never) => askAgent(request, { store, dataFolder, clock: systemClock, openContent });
  return { dataFolder, ask };
}

test("a question that cannot be begun leaves nothing open: the list of runs is damaged", async () => {
  const { dataFolder, ask } = asking();
  const before = openBelow(dataFolder);
  writeFileSync(activityPath(dataFolder), "no database");
  await expect(ask(() => expect.fail("asked"))).rejects.toMatchObject({ code: "store_unreadable" });
  expect(openBelow(dataFolder)).toEqual(before);
});

test("a question that cannot be begun leaves nothing open: no way to the home", async () => {
  const { dataFolder, ask } = asking();
  const before = openBelow(dataFolder);
  const noWay = () => {
    throw new Error("no way");
  };
  await expect(ask(noWay)).rejects.toThrow("no way");
  expect(openBelow(dataFolder)).toEqual(before);
});
