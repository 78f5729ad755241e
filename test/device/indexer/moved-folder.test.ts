import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { accessPath } from "../../../device/access/open-access.ts";
import { type OpenProject, openProject } from "../../../device/access/open-project.ts";
import { personalConfigFile, readPersonalConfig } from "../../../device/config/personal-config.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { folderSetting } from "./setting.ts";

const texts = { "notes.md": "Notes.", "contracts/a.md": "Secret." };

/** A linked folder of which its person has withheld a part. */
async function withRules() {
  const setting = await folderSetting(texts);
  const { store, root, link, cloud } = setting;
  const file = personalConfigFile(store.dataFolder);
  const rules = { read: { deny: ["contracts/"] }, limits: { calls: 50 } };
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ git: { commit: true }, projects: { [root]: rules } }));
  await link();
  expect(cloud.sent).toEqual(["notes.md"]);
  return { ...setting, file, rules };
}

async function opened<T>(dataFolder: string, root: string, work: (project: OpenProject) => Promise<T>): Promise<T> {
  const approver = { approve: async () => true };
  const project = await openProject({ ...systemTimeAndIds, root, dataFolder, approver });
  try {
    return await work(project);
  } finally {
    project.close();
  }
}

test("P1: what the person withholds in a project's folder stays withheld where that was moved to", async () => {
  const { cloud, store, root, link, rules, summaries } = await withRules();
  renameSync(root, `${root}-moved`);
  expect(await link({ folderPath: `${root}-moved` })).toMatchObject({ replaced: root, keepsSettings: true });
  expect(cloud.sent).toEqual(["notes.md"]);
  expect(Object.keys(summaries())).toEqual(["notes.md"]);
  const { projects, git } = readPersonalConfig(store.dataFolder);
  expect(projects[`${root}-moved`]).toMatchObject(rules);
  // The other folder may come back.
  expect(projects[root]).toMatchObject(rules);
  expect(git).toEqual({ commit: true });
});

test("P1: so it is in a copy that takes its place", async () => {
  const { cloud, root, link } = await withRules();
  cpSync(root, `${root}-copy`, { recursive: true });
  await link({ folderPath: `${root}-copy` });
  expect(cloud.sent).not.toContain("contracts/a.md");
});

test("P1: so it is in one that was linked by way of a link", async () => {
  const { cloud, root, link } = await withRules();
  const way = `${root}-way`;
  symlinkSync(path.dirname(root), way);
  await link({ folderPath: path.join(way, "documents") });
  renameSync(root, `${root}-moved`);
  await link({ folderPath: path.join(way, "documents-moved") });
  expect(cloud.sent).not.toContain("contracts/a.md");
});

test("what the person has said of the other folder itself counts alone", async () => {
  const { cloud, file, root, link } = await withRules();
  const said = JSON.parse(readFileSync(file, "utf8"));
  const other = `${root}-other`;
  said.projects[other] = { read: { deny: ["notes.md"] } };
  writeFileSync(file, JSON.stringify(said));
  renameSync(root, other);
  expect(await link({ folderPath: other })).toMatchObject({ keepsSettings: false });
  expect(cloud.sent).toEqual(["notes.md", "contracts/a.md"]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(said);
});

test("settings that cannot be understood keep a folder from being linked: nothing is changed", async () => {
  const { cloud, file, store, projectId, root, link } = await withRules();
  writeFileSync(file, "not settings");
  renameSync(root, `${root}-moved`);
  await expect(link({ folderPath: `${root}-moved` })).rejects.toMatchObject({ code: "config_unreadable" });
  expect(store.projects.get(projectId).folderPath).toBe(root);
  expect(cloud.sent).toHaveLength(1);
});

test("nothing lost: the history of a folder and its trail are there where it was moved to", async () => {
  const { store, root, link } = await folderSetting(texts);
  const { dataFolder } = store;
  await link();
  const versionId = await opened(dataFolder, root, async ({ access }) => {
    const session = access.openSession({ caller: "mcp:editor" });
    await access.call(session, "read_file", { path: "notes.md" });
    await access.call(session, "write_file", { path: "notes.md", content: "Other notes.\n" });
    return access.kit.store.versions.list("notes.md", 10).at(-1)?.id;
  });
  const moved = `${root}-moved`;
  renameSync(root, moved);
  await link({ folderPath: moved });
  await opened(dataFolder, moved, async ({ access }) => {
    expect(access.audit.verify()).toMatchObject({ ok: true });
    expect([...access.audit.records()].map(({ caller, tool }) => [caller, tool])).toContainEqual([
      "mcp:editor",
      "write_file",
    ]);
    const person = access.openSession({ caller: "person" });
    expect(await access.call(person, "rollback", { path: "notes.md", versionId })).toMatchObject({ ok: true });
  });
  expect(readFileSync(path.join(moved, "notes.md"), "utf8")).toBe("Notes.");
  if (process.platform !== "win32") expect(statSync(accessPath(dataFolder, moved)).mode & 0o777).toBe(0o600);
});

test("a history that cannot be copied leaves no part of a copy", async () => {
  const { store, root, link } = await folderSetting(texts);
  const { dataFolder } = store;
  await link();
  await opened(dataFolder, root, async ({ access }) => {
    const session = access.openSession({ caller: "mcp:editor" });
    await access.call(session, "write_file", { path: "notes.md", content: "Other notes.\n" });
  });
  const database = accessPath(dataFolder, root);
  // Its first page is whole: the copy begins, and breaks off.
  const bytes = readFileSync(database);
  writeFileSync(database, bytes.fill(0xff, 4_096));
  const kept = readdirSync(path.dirname(database)).sort();
  renameSync(root, `${root}-moved`);
  await expect(link({ folderPath: `${root}-moved` })).rejects.toMatchObject({ code: "store_unreadable" });
  expect(readdirSync(path.dirname(database)).sort()).toEqual(kept);
});

test("a folder that is still there keeps its history to itself, and one with a history of its own keeps that", async () => {
  const { store, root, link } = await folderSetting(texts);
  const { dataFolder } = store;
  await link();
  const read = (place: string, caller: string) =>
    opened(dataFolder, place, ({ access }) =>
      access.call(access.openSession({ caller }), "read_file", { path: "notes.md" }),
    );
  await read(root, "one");
  const copy = `${root}-copy`;
  cpSync(root, copy, { recursive: true });
  await link({ folderPath: copy });
  expect(existsSync(accessPath(dataFolder, copy))).toBe(false);
  await read(copy, "other");
  renameSync(copy, `${copy}-aside`);
  await link({ folderPath: root });
  const callers = await opened(dataFolder, root, async ({ access }) =>
    [...access.audit.records()].map(({ caller }) => caller),
  );
  expect(callers).toEqual(["one"]);
});
