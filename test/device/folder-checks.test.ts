import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { checkFolders } from "../../device/doctor/stored/folder-checks.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import type { ScanEnd } from "../../device/store/tables/projects.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { temporaryFolder } from "./setting.ts";

const checked = (dataFolder: string) => checkFolders(dataFolder, systemTimeAndIds);

/** A device with a project that has a folder, which was read and ended so. */
function linked(folderPath: string, end: ScanEnd = { status: "idle", totalFiles: 1 }): string {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  const { id } = store.projects.add("Garden");
  store.projects.link(id, folderPath);
  store.projects.beginScan(id, { holder: "one", pid: 1, until: Number.MAX_SAFE_INTEGER }, () => false);
  store.projects.endScan(id, "one", end);
  store.close();
  return dataFolder;
}

test("doctor says nothing of folders where none is linked, or nothing has been kept yet", async () => {
  expect(await checked(path.join(temporaryFolder(), "none"))).toEqual([]);
  const dataFolder = temporaryFolder();
  openDeviceStore({ ...systemTimeAndIds, dataFolder }).close();
  expect(await checked(dataFolder)).toEqual([]);
});

test("nothing silent: doctor names a folder that is gone, and what to do; one that is there is well", async () => {
  const folder = path.join(temporaryFolder(), "garden");
  mkdirSync(folder);
  const dataFolder = linked(folder);
  expect(await checked(dataFolder)).toMatchObject([
    { name: "folders", state: "ok", detail: "1 linked, where they were" },
  ]);
  rmSync(folder, { recursive: true });
  expect(await checked(dataFolder)).toMatchObject([
    {
      name: "folder",
      state: "fail",
      code: "linked_gone",
      detail: expect.stringMatching(/^Garden: .*garden.* \(folder_not_found\)$/),
      advice: expect.stringContaining("scouts project link"),
    },
  ]);
});

test("nothing silent: doctor asks a bucket, and says why it cannot be read", async () => {
  const [check] = await checked(linked("s3://garden/docs?profile=no-such-profile&region=us-east-1"));
  expect(check).toMatchObject({ state: "fail", code: "linked_unreadable", why: { code: "bucket_credentials" } });
});

test("doctor says what kept a folder from being read the last time, but not that a person ended it", async () => {
  const end = (code: string) => ({ status: "error", code, sentence: "Said then." }) as const;
  const folder = temporaryFolder();
  expect(await checked(linked(folder, end("answer_overdue")))).toMatchObject([
    {
      code: "linked_failed",
      detail: "Garden was not read to the end the last time: Said then. (answer_overdue)",
    },
  ]);
  expect(await checked(linked(folder, end("scan_interrupted")))).toMatchObject([{ name: "folders", state: "ok" }]);
});
