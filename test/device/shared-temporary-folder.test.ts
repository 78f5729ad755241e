import { existsSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { dailyHousekeeping } from "../../device/housekeeping/daily.ts";
import { ManualClock } from "./manual-clock.ts";
import { temporaryFolder, temporaryStore } from "./setting.ts";

test("another account on the machine: nothing is removed, or looked at, in a folder that any account may make", async () => {
  const shared = temporaryFolder();
  vi.stubEnv("TMPDIR", shared);
  onTestFinished(() => void vi.unstubAllEnvs());
  const theirs = join(shared, "scouts-views", "view-abc123");
  mkdirSync(theirs, { recursive: true });
  utimesSync(theirs, 0, 0);
  const dataFolder = temporaryFolder();
  const store = temporaryStore(dataFolder);
  const housekeeping = dailyHousekeeping({ store, dataFolder, clock: new ManualClock(), onProblem: () => {} });
  onTestFinished(() => housekeeping.close());
  housekeeping.start();
  await housekeeping.whenIdle();
  expect(existsSync(theirs)).toBe(true);
});
