import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FileAccess } from "../../device/access/file-access.ts";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { ProjectFilesError } from "../../device/files/errors.ts";
import type { ProjectFiles } from "../../device/files/project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { memoryAccessStore } from "../memory/access-store.ts";
import { patchWith } from "./in-memory-setting.ts";
import { temporaryFolder } from "./setting.ts";

const patch = ["a.txt", "b.txt", "c.txt"]
  .map((path) => `*** Update File: ${path}\n@@\n-${path} before\n+${path} after\n`)
  .join("");

/** A folder in which a change of three files broke off behind the second, and what is known of it. */
async function brokenOff() {
  const root = temporaryFolder();
  for (const path of ["a.txt", "b.txt", "c.txt"]) writeFileSync(join(root, path), `${path} before\n`);
  const disk = new FsProjectFiles(root, { ripgrep: false, maxFileBytes: 1_000 });
  const store = memoryAccessStore();
  let writes = 0;
  const failing: ProjectFiles = Object.create(disk, {
    write: {
      value: (...args: Parameters<ProjectFiles["write"]>) => {
        if (++writes > 2) throw new ProjectFilesError("StorageFailed");
        return disk.write(...args);
      },
    },
    read: { value: disk.read.bind(disk) },
    metadata: { value: disk.metadata.bind(disk) },
    canonical: { value: disk.canonical.bind(disk) },
    walk: { value: disk.walk.bind(disk) },
    folding: { value: disk.folding },
    displayRoot: { value: disk.displayRoot },
    isReadOnly: { value: false },
  });
  const access = new FileAccess({ ...systemTimeAndIds, files: failing, store });
  await patchWith(access, access.openSession({ caller: "model" }), {
    patch: `*** Begin Patch\n${patch}*** End Patch\n`,
  });
  return { root, store, again: new FileAccess({ ...systemTimeAndIds, files: disk, store }) };
}

test.each([
  ["a folder", (path: string) => mkdirSync(path)],
  ["a link that leads out", (path: string) => symlinkSync("/etc/hostname", path)],
  ["what is too large to be looked at", (path: string) => writeFileSync(path, "x".repeat(5_000))],
])("a change that broke off is put back around %s that has taken a file's place since", async (_, put) => {
  const { root, store, again } = await brokenOff();
  rmSync(join(root, "a.txt"));
  put(join(root, "a.txt"));
  expect(await again.recover()).toMatchObject({ undone: 1, leftAlone: ["a.txt"] });
  expect(["b.txt", "c.txt"].map((path) => readFileSync(join(root, path), "utf8"))).toEqual([
    "b.txt before\n",
    "c.txt before\n",
  ]);
  expect(store.journal.open()).toEqual([]);
  // The trail says which were not.
  expect([...again.audit.records()].at(-1)).toMatchObject({ outcome: "undone", args: { leftAlone: ["a.txt"] } });
});
