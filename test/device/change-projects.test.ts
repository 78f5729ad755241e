import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../cli/program.ts";
import { projectNamed } from "../../cli/projects/project-named.ts";
import { emptyDraft } from "../../device/categorize/draft.ts";
import { addFolder } from "../../device/folders/local-scouts.ts";
import { addProject, heldBy, removeProject, renameProject } from "../../device/projects/change-projects.ts";
import { newFrameId } from "../../device/store/decide.ts";
import { addEntity } from "../../device/work/change-entities.ts";
import { convertIntoProject } from "../../device/work/decide-into.ts";
import { newId } from "../memory/chance.ts";
import { makeProposal } from "./fake-cloud.ts";
import { linkedFolder } from "./scanner/setting.ts";
import { Screen } from "./screen.ts";
import { temporaryFolder, temporaryStore } from "./setting.ts";

const code = (wanted: string, more: object = {}) => expect.objectContaining({ code: wanted, ...more });

test("a project is made and called otherwise by a name that no other has", () => {
  const store = temporaryStore();
  const { id } = addProject(store, "  Garden ");
  expect(store.projects.list()).toMatchObject([{ id, name: "Garden", folderPath: null }]);
  const { id: other } = addProject(store, "Roof");
  const taken = code("project_exists", {
    exact: { about: "named", values: { name: "Garden" } },
    data: { field: "name" },
  });
  expect(() => addProject(store, "Garden")).toThrow(taken);
  expect(() => renameProject(store, other, "Garden ")).toThrow(taken);
  for (const name of [" ", "n".repeat(201)]) {
    expect(() => addProject(store, name)).toThrow(code("usage", { data: { field: "name" } }));
    expect(() => renameProject(store, id, name)).toThrow(code("usage", { data: { field: "name" } }));
  }
  expect(renameProject(store, id, "Garden")).toMatchObject({ id, name: "Garden" });
  expect(renameProject(store, id, "The garden")).toMatchObject({ id, name: "The garden" });
  expect(() => renameProject(store, makeId(), "New")).toThrow(code("project_unknown"));
});

test("no project is called by the word that takes a task out of one", () => {
  const store = temporaryStore();
  const refused = code("usage", { exact: { about: "reserved", values: { name: "none" } }, data: { field: "name" } });
  expect(() => addProject(store, " none ")).toThrow(refused);
  expect(() => renameProject(store, addProject(store, "None of it").id, "none")).toThrow(refused);
});

const makeId = () => temporaryStore().projects.add("elsewhere").id;

test("one that is removed takes nothing with it but what is known of its folder", () => {
  const store = temporaryStore();
  const folder = linkedFolder({ "a.md": "A" }, store);
  const { id } = folder.project;
  const task = addEntity(store, "task", { title: "Water the beds", projectId: id }, 1);
  store.proposals.add([makeProposal(1), makeProposal(2)]);
  store.proposals.assign(makeProposal(1).id, id);
  store.proposals.claim("test", 2, 60_000);
  const draft = { ...emptyDraft, title: "Dig", projectId: id };
  store.proposals.categorize(makeProposal(2).id, "test", { category: "task", priority: "none", draft });
  expect(heldBy(store, id)).toEqual({ tasks: 1, proposals: 1 });

  removeProject(store, id, 2);
  expect(store.projects.list()).toEqual([]);
  expect(store.folderFiles.list(id)).toEqual([]);
  expect(store.work.task.list()).toMatchObject([{ id: task.id, projectId: null }]);
  expect(store.entityChanges.of(task.id)).toMatchObject([
    {},
    { before: { projectId: id }, after: { projectId: null } },
  ]);
  // What is drafted can still be approved.
  expect(store.proposals.list().map(({ projectId, payload }) => [projectId, payload?.projectId ?? null])).toEqual([
    [null, null],
    [null, null],
  ]);
  expect(store.proposals.find(makeProposal(2).id)?.payload).toEqual({ ...draft, projectId: null });
  expect(() => removeProject(store, id, 3)).toThrow(code("project_unknown"));
});

test("a project has no longer name however it is made: what nobody has typed is cut, what somebody has is refused", async () => {
  const store = temporaryStore();
  const [first, second] = [makeProposal(1, { rawSubject: "s".repeat(400) }), makeProposal(2)];
  store.proposals.add([first, second]);
  const into = (id: typeof first.id, name?: string) =>
    convertIntoProject(store, id, name, { nowMs: 1, notBefore: 1 }, () => newFrameId(newId)).project.name;
  expect(into(first.id)).toBe("s".repeat(200));
  expect(() => into(second.id, "n".repeat(201))).toThrow(code("usage", { data: { field: "name" } }));
  expect(store.proposals.find(second.id)?.status).toBe("pending");
  const folder = join(temporaryFolder(), "f".repeat(240));
  mkdirSync(folder);
  expect(await addFolder(store, "", folder)).toMatchObject({ name: "f".repeat(200) });
  await expect(addFolder(store, "n".repeat(201), folder)).rejects.toMatchObject(code("usage"));
});

test("the command line renames and removes, and says before what goes and what stays", async () => {
  const store = temporaryStore();
  const { id } = addProject(store, "Garden");
  addEntity(store, "task", { title: "Water the beds", projectId: id }, 1);
  const run = async (...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal };
    const context = { io, environment: {}, workingFolder: store.dataFolder, now: () => 5, newId };
    const exit = await runCommand(["project", ...words, "--data", store.dataFolder], context, "1");
    return { exit, said: stdout.written + stderr.written };
  };
  expect(await run("rename", "Garden", "The garden")).toMatchObject({ exit: 0, said: "renamed  Garden  The garden\n" });
  const asked = await run("remove", "the garden");
  expect(asked.exit).not.toBe(0);
  expect(asked.said).toContain(
    "Removing The garden forgets it and answers about it; 1 task and 0 proposals stay, in no project.",
  );
  expect(store.projects.list()).toHaveLength(1);
  expect(await run("remove", "the garden", "--yes")).toMatchObject({ exit: 0, said: "removed  The garden\n" });
  expect(store.projects.list()).toEqual([]);
});

test.each(["new\nline", "new \u200b line", "New  Line"])("a project called %j is named as it is shown", (name) => {
  const store = temporaryStore();
  const { id } = addProject(store, name);
  expect(projectNamed(store, "new line").id).toBe(id);
  addProject(store, "new line");
  expect(projectNamed(store, "new line").id).not.toBe(id);
  expect(() => projectNamed(store, "NEW line")).toThrow(expect.objectContaining({ code: "project_unknown" }));
});
