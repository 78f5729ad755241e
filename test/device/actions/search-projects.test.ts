import { renameSync } from "node:fs";
import { expect, test } from "vitest";
import type { ActionTableOptions } from "../../../device/actions/action-table.ts";
import { unlinkFolder } from "../../../device/folders/indexer/unlink-folder.ts";
import { type IndexedFolder, indexedFolder } from "../knowledge/setting.ts";
import { temporaryStore } from "../setting.ts";
import { setting } from "./setting.ts";

/** Projects of one device by their names, each with its index, and the table of actions for one run. */
async function projectsOf(
  trees: Readonly<Record<string, Record<string, string>>>,
  options: (folders: readonly IndexedFolder[]) => Partial<ActionTableOptions> = () => ({}),
) {
  const store = temporaryStore();
  const folders: IndexedFolder[] = [];
  for (const [name, tree] of Object.entries(trees)) {
    const folder = indexedFolder(tree, store, name);
    await folder.index();
    folders.push(folder);
  }
  const { dataFolder } = store;
  return { ...setting({}, { store, dataFolder, ...options(folders) }), folders, store };
}

const garden = { "watering.md": "The pump stands in the shed.\n", "beds.md": "Tomatoes stand in the north bed.\n" };
const house = { "cellar.md": "The pump of the heating is in the cellar.\n" };
const boat = { "sails.md": "Two sails are in the loft.\n" };

test("15: without a project all are searched at once, and each file is under the project it is of", async () => {
  const { table, folders, deviceAudit } = await projectsOf({ Garden: garden, House: house, Boat: boat });
  const [ofGarden, ofHouse] = folders.map(({ project }) => project.id);
  const { text, error, filesRead, parts } = await table.run("search_content", { query: "where is the pump?" });
  expect(error).toBeUndefined();
  const heads = text
    .split("\n")
    .flatMap((line) => /^== (?:project (\S+ "\w+")|("\S+") lines)/.exec(line)?.slice(1) ?? []);
  expect(heads.filter(Boolean).toSorted()).toEqual(
    [`${ofGarden} "Garden"`, `${ofHouse} "House"`, '"cellar.md"', '"watering.md"'].toSorted(),
  );
  const above = (path: string) =>
    text
      .slice(0, text.indexOf(`== "${path}"`))
      .match(/== project (\S+)/g)
      ?.at(-1);
  expect([above("watering.md"), above("cellar.md")]).toEqual([`== project ${ofGarden}`, `== project ${ofHouse}`]);
  expect(JSON.parse(text.split("\n", 1)[0] ?? "")).toEqual({ projectsSearched: 3, filesSearched: 4 });
  expect(new Set(filesRead)).toEqual(
    new Set([
      { projectId: ofGarden, path: "watering.md" },
      { projectId: ofHouse, path: "cellar.md" },
    ]),
  );
  expect(parts?.map(({ projectId, path, line }) => [projectId, path, line])).toContainEqual([ofHouse, "cellar.md", 1]);
  expect(deviceAudit().at(-1)).toMatchObject({ tool: "search_content", outcome: "ok" });
});

test("15: so many files are given as were asked for, over all projects", async () => {
  const trees = Object.fromEntries(
    ["A", "B", "C", "D"].map((name) => [name, { "one.md": `pump ${name}`, "two.md": "pump" }]),
  );
  const { table } = await projectsOf(trees);
  const { filesRead } = await table.run("search_content", { query: "pump", limit: 3 });
  expect(filesRead).toHaveLength(3);
});

test("15: a project that may be asked about alone is the only one that is searched", async () => {
  const { table, folders } = await projectsOf({ Garden: garden, House: house }, ([, second]) => ({
    onlyProject: second?.project.id,
  }));
  const { text, filesRead } = await table.run("search_content", { query: "pump" });
  expect(filesRead).toEqual([{ projectId: folders[1]?.project.id, path: "cellar.md" }]);
  expect(text).not.toContain("shed");
});

test("15: what rules withhold now is found in no project", async () => {
  const { table, folders } = await projectsOf({ Garden: garden, House: house });
  folders[0]?.write(".scoutsignore", "watering.md\n");
  const { text } = await table.run("search_content", { query: "pump" });
  expect(text).toContain("cellar");
  expect(text).not.toMatch(/shed|watering/);
});

test("nothing silent: a folder that cannot be looked into is named, and what the others have is given", async () => {
  const { table, folders } = await projectsOf({ Garden: garden, House: house });
  const [first, second] = folders;
  renameSync(first?.root ?? "", `${first?.root}-away`);
  const { text, filesRead } = await table.run("search_content", { query: "pump" });
  expect(JSON.parse(text.split("\n", 1)[0] ?? "")).toMatchObject({
    notSearched: expect.arrayContaining(["The folder of Garden cannot be opened, so nothing in it was looked at."]),
  });
  expect(filesRead).toEqual([{ projectId: second?.project.id, path: "cellar.md" }]);
});

test("15: nothing that fits, and no word to search for, are said so", async () => {
  const { table, folders, store } = await projectsOf({ Garden: garden });
  expect((await table.run("search_content", { query: "zeppelin" })).text).toMatch(
    /^\{"projectsSearched":1,"filesSearched":2/,
  );
  expect((await table.run("search_content", { query: "???" })).text).toContain("notes");
  for (const { project } of folders) unlinkFolder(store, project);
  expect((await table.run("search_content", { query: "pump" })).text).toContain('"filesSearched":0');
});

test("15: names of projects that a question mentions are not looked for", async () => {
  const { table } = await projectsOf({ Garden: garden, Pump: { "a.md": "The pump is blue.\n" } });
  const { text } = await table.run("search_content", { query: "Where do tomatoes stand? @Pump" });
  expect(text).toContain("north bed");
  expect(text).not.toContain("blue");
});
