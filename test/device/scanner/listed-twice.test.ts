import { expect, onTestFinished, test, vi } from "vitest";
import { FsWalkSource } from "../../../device/files/backends/fs/fs-walk-source.ts";
import { linkedFolder } from "./setting.ts";

/** As some network disks do while a folder changes: every name of a listing comes a second time. */
function listTwice(): void {
  const { list } = FsWalkSource.prototype;
  const spy = vi.spyOn(FsWalkSource.prototype, "list").mockImplementation(function (this: FsWalkSource, path) {
    const entries = list.call(this, path);
    return [...entries, ...entries.map((entry) => ({ ...entry }))];
  });
  onTestFinished(() => spy.mockRestore());
}

const tree = { "a.md": "a", "b/c.md": "c", "b/d.md": "d" };

test("a first scan of a folder that lists its names twice has each file once", async () => {
  const folder = linkedFolder(tree);
  listTwice();
  const result = await folder.scan();
  expect(result).toMatchObject({ newFiles: ["a.md", "b/c.md", "b/d.md"], changedFiles: [], totalFiles: 3 });
  expect(folder.opened).toEqual(["a.md", "b/c.md", "b/d.md"]);
  expect(folder.manifest()).toEqual(["a.md text null", "b/c.md text null", "b/d.md text null"]);
  expect(folder.store.damage()).toBeUndefined();
});

test("a later scan of such a folder finds nothing changed", async () => {
  const folder = linkedFolder(tree);
  await folder.scan();
  folder.write("e.md", "e");
  listTwice();
  expect(await folder.scan()).toMatchObject({ newFiles: ["e.md"], changedFiles: [], unchanged: 3, totalFiles: 4 });
});
