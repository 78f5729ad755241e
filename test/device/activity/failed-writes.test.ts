import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { activityPath, openActivityStore } from "../../../device/activity/activity-store.ts";
import { askAgent } from "../../../device/agent/ask-agent.ts";
import { systemClock } from "../../../device/connection/clock.ts";
import { DeviceError } from "../../../device/errors.ts";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { addEntity } from "../../../device/work/change-entities.ts";
import { temporaryFolder } from "../setting.ts";

/** Takes a table away under the program that writes to it. */
function losesTable(dataFolder: string, table: string): void {
  const other = new DatabaseSync(activityPath(dataFolder));
  other.exec(`DROP TABLE ${table}`);
  other.close();
}

test("a question that cannot be kept holds no lock: nobody asks it", () => {
  const dataFolder = temporaryFolder();
  const activity = openActivityStore(dataFolder, systemTimeAndIds);
  losesTable(dataFolder, "approvals");
  const question = { kind: "write", why: "rule", action: "write", tool: "write_file", caller: "mcp" } as const;
  expect(() => activity.approvals.ask("/nowhere", { ...question, paths: ["a.md"], reason: "r" })).toThrow(
    "no such table",
  );
  expect(readdirSync(join(dataFolder, "device", "asking"))).toEqual([]);
  activity.close();
});

test("what a run failed of is told, also where its end cannot be kept", async () => {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  addEntity(store, "note", { title: "Pump" }, 1_900_000_000_000);
  const openContent = () => ({
    ready: async () => {
      losesTable(dataFolder, "runs");
      throw new DeviceError("interrupted");
    },
    close: async () => undefined,
  });
  const asked = askAgent(
    { agent: "home", message: "Where is the pump?" },
    { store, dataFolder, clock: systemClock, openContent: openContent as never },
  );
  await expect(asked).rejects.toMatchObject({ code: "interrupted" });
  store.close();
});
