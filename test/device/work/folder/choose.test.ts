import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { chooseWorkFolder, workFolder } from "../../../../device/work/folder/work-folder.ts";
import { temporaryFolder, temporaryStore } from "../../setting.ts";

const { root } = path.parse(process.cwd());

test.each<[string, () => string]>([
  ["the root of the file system", () => root],
  ["a link to it", () => linked(root)],
  ["a directory around the person's own", () => path.dirname(homedir())],
])("notes and a calendar are not written among the system's own: %s is no work folder", (_, folderOf) => {
  const store = temporaryStore();
  const refused = { code: "usage", message: expect.stringContaining("choose a folder of yours") };
  expect(() => chooseWorkFolder(store, folderOf())).toThrowError(expect.objectContaining(refused));
  expect(workFolder(store)).toBeUndefined();
});

test("a folder of the person's own is taken, also by a link", () => {
  const store = temporaryStore();
  const folder = path.join(temporaryFolder(), "notes");
  mkdirSync(folder);
  for (const each of [folder, linked(folder)]) {
    chooseWorkFolder(store, each);
    expect(workFolder(store)).toBe(each);
  }
  expect(readdirSync(folder)).toEqual([]);
});

function linked(target: string): string {
  const link = path.join(temporaryFolder(), "link");
  symlinkSync(target, link);
  return link;
}
