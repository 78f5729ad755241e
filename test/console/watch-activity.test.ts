import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { accessPath, openProjectDatabase } from "../../device/access/open-access.ts";
import { deviceRoot } from "../../device/actions/device-trail.ts";
import { activityPath, openActivityStore } from "../../device/activity/activity-store.ts";
import { watchActivity } from "../../device/console/activity/watch-activity.ts";
import { EventLog } from "../../device/console/news/event-log.ts";
import { checkRecords } from "../../device/doctor/stored/record-checks.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { ManualClock } from "../device/manual-clock.ts";
import { temporaryStore } from "../device/setting.ts";

const noise = Buffer.alloc(8_192, "no database ");

/** Overwrites a database and what lies beside it. */
function damage(path: string): void {
  for (const beside of ["-wal", "-shm"]) rmSync(path + beside, { force: true });
  writeFileSync(path, noise);
}

test("a damaged audit trail ends no console: it is told once, named by `scouts doctor`, and approvals still work", () => {
  const store = temporaryStore();
  const { dataFolder } = store;
  openProjectDatabase(dataFolder, deviceRoot).close();
  const clock = new ManualClock();
  const problems: unknown[] = [];
  const watched = watchActivity({
    ...{ store, clock },
    log: new EventLog("log"),
    onProblem: (error) => void problems.push(error),
  });
  onTestFinished(() => watched.close());
  expect(watched.trails.list()).toEqual([{ id: "device", name: null }]);
  watched.trails.close();
  const path = accessPath(dataFolder, deviceRoot);
  damage(path);

  for (let look = 0; look < 3; look++) clock.advance(1_000);

  expect(problems).toMatchObject([{ code: "store_unreadable" }]);
  expect(watched.trails.unreadable()).toMatchObject([{ id: "device", path, error: { code: "store_unreadable" } }]);
  expect(watched.trails.page({}, {}, 10)).toEqual({ records: [], next: null });
  expect(watched.activity.approvals.waiting()).toEqual([]);
  expect(checkRecords(dataFolder, systemTimeAndIds)).toMatchObject([
    { name: "database", state: "fail", code: "record_damaged", values: { path } },
  ]);

  rmSync(path);
  openProjectDatabase(dataFolder, deviceRoot).close();
  clock.advance(1_000);
  expect(watched.trails.unreadable()).toEqual([]);
});

test("a damaged record of runs is refused by its file, with the cure", () => {
  const store = temporaryStore();
  const { dataFolder } = store;
  const path = activityPath(dataFolder);
  openActivityStore(dataFolder, systemTimeAndIds).close();
  damage(path);

  expect(() => openActivityStore(dataFolder, systemTimeAndIds)).toThrow(
    expect.objectContaining({
      code: "store_unreadable",
      message: expect.stringContaining(`${path} is damaged. Move it`),
    }),
  );
  expect(checkRecords(dataFolder, systemTimeAndIds)).toMatchObject([{ code: "record_damaged", values: { path } }]);
  expect(readdirSync(join(dataFolder, "device"))).toContain("activity.sqlite");
});
