import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
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
  ...["/bin", "/boot", "/dev", "/etc", "/proc", "/sys", "/usr", "/usr/share/new", "/var", "/var/lib"].map(
    (folder): [string, () => string] => [folder, () => folder],
  ),
  ["a link to a place of the system", () => linked("/etc")],
  ["a folder to be made there by way of a link", () => path.join(linked("/etc"), "notes")],
])("notes and a calendar are not written among the system's own: %s is no work folder", (_, folderOf) => {
  const store = temporaryStore();
  const refused = { code: "usage", message: expect.stringContaining("choose a folder of yours") };
  expect(() => chooseWorkFolder(store, folderOf())).toThrowError(expect.objectContaining(refused));
  expect(workFolder(store)).toBeUndefined();
});

test("a folder of which only the last part is missing is made, and that is said", () => {
  const store = temporaryStore();
  const folder = path.join(temporaryFolder(), "notes");
  expect([chooseWorkFolder(store, folder), readdirSync(folder), workFolder(store)]).toEqual([true, [], folder]);
  expect(chooseWorkFolder(store, folder)).toBe(false);
});

test.each<[string, (here: string) => string, string]>([
  ["more than the last part is missing", (here) => path.join(here, "gone", "notes"), "there is no"],
  ["it is a file", (here) => path.join(here, "file"), "is a file and no folder"],
  ["it would lie in a file", (here) => path.join(here, "file", "notes"), "check that you may write to"],
  [
    "it is a link to nothing",
    () => linked(path.join(temporaryFolder(), "gone", "notes")),
    "check that you may write to",
  ],
])("a folder that cannot be made as %s is refused, with what to do", (_, folderOf, sentence) => {
  const store = temporaryStore();
  const here = temporaryFolder();
  writeFileSync(path.join(here, "file"), "");
  const refused = { code: "usage", message: expect.stringContaining(sentence) };
  expect(() => chooseWorkFolder(store, folderOf(here))).toThrowError(expect.objectContaining(refused));
  expect([workFolder(store), readdirSync(here)]).toEqual([undefined, ["file"]]);
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
