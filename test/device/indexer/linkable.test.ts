import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { addFolder } from "../../../device/folders/local-scouts.ts";
import { giveFolder } from "../../../device/projects/project-list.ts";
import { temporaryFolder, temporaryStore } from "../setting.ts";
import { folderSetting } from "./setting.ts";

const isPosix = process.platform !== "win32";

/** Every way a folder is linked: by a new project's form, by that of a project that is there, and by the command line. */
async function refusals(folder: string) {
  const { store, projectId, link, cloud } = await folderSetting({ "a.md": "A" });
  const before = store.projects.list();
  const ways = [addFolder(store, "", folder), giveFolder(store, projectId, folder), link({ folderPath: folder })];
  const refused = await Promise.all(
    ways.map((way) =>
      way.then(
        () => "linked",
        ({ code, exact, message }) => ({ code, about: exact?.about, message }),
      ),
    ),
  );
  expect(store.projects.list()).toEqual(before);
  expect(cloud.sent).toEqual([]);
  const [first] = refused;
  expect(refused).toEqual(refused.map(() => first));
  return first;
}

test.skipIf(!isPosix)("no folder of the system is linked, typed or by way of a link of one's own", async () => {
  expect(await refusals("/etc")).toEqual({
    ...{ code: "usage", about: "systemFolder" },
    message: "/etc belongs to the system and to no person; choose a folder of yours.",
  });
  const link = join(temporaryFolder(), "settings");
  symlinkSync("/etc", link);
  expect(await refusals(link)).toMatchObject({ code: "usage", about: "systemFolder" });
  expect(await refusals("/tmp/../usr/share")).toMatchObject({ code: "usage", about: "systemFolder" });
});

test.skipIf(!isPosix)("neither is the whole disk, nor the device's own data", async () => {
  expect(await refusals("/")).toMatchObject({ code: "usage", about: "folder" });
  const store = temporaryStore();
  await expect(addFolder(store, "", join(store.dataFolder, "device"))).rejects.toMatchObject({
    code: "usage",
    exact: { about: "dataFolder" },
    message: expect.stringContaining("lies in this device's data folder"),
  });
});

test("of a path that leads to a file that is said, with the folder it lies in", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "papers"));
  const file = join(folder, "papers", "letter.txt");
  writeFileSync(file, "Dear Ada");
  expect(await refusals(file)).toEqual({
    ...{ code: "folder_not_found", about: "file" },
    message: `This is a file and no folder: ${file}. Give the folder it lies in: ${dirname(file)}`,
  });
  expect(await refusals(join(file, "inside"))).toMatchObject({ code: "folder_not_found", about: "at" });
  expect(await refusals(join(folder, "n".repeat(5_000)))).toMatchObject({
    code: expect.stringMatching(/^folder_/),
  });
});

test("a folder of the person's own is linked, also by a link", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "garden"));
  symlinkSync(join(folder, "garden"), join(folder, "link"));
  const store = temporaryStore();
  expect(await addFolder(store, "", join(folder, "garden"))).toMatchObject({ name: "garden" });
  expect(await addFolder(store, "", join(folder, "link"))).toMatchObject({ name: "link" });
});
