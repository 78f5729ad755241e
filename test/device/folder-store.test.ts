import { expect, test } from "vitest";
import type { DeviceStore } from "../../device/store/open.ts";
import { addEntity } from "../../device/work/change-entities.ts";
import { setTaskStatus } from "../../device/work/tasks/task-status.ts";
import { manifestKinds } from "../../events/frames/folders.ts";
import { rowOf } from "./manifest-row.ts";
import { temporaryFolder, temporaryStore } from "./setting.ts";

const hour = 3_600_000;

function projectIn(store: DeviceStore, name = "garden") {
  const { id } = store.projects.add(name);
  return store.projects.link(id, `/folders/${name}`).id;
}

const made = { kind: "text", summary: "says so", tag: null, promptVersion: "p/1" } as const;

test("a project's name is its own; ids are prefixed ULIDs", () => {
  const store = temporaryStore();
  expect(store.projects.add("garden").id).toMatch(/^prj_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  expect(() => store.projects.add("garden")).toThrow(expect.objectContaining({ code: "project_exists" }));
  expect(store.projects.findByName("garden")?.name).toBe("garden");
});

test("rows keep exactly what a disk says, whatever is in a name", () => {
  const store = temporaryStore();
  const id = projectIn(store);
  const names = ["a\nb", "q\"'--;", "\u{1f33f}", "caf\u00e9", "cafe\u0301", "%_"];
  for (const name of names) store.folderFiles.put(id, rowOf(name, name));
  expect(store.folderFiles.versions(id)).toEqual(new Map(names.map((name) => [name, "v"])));
  expect(store.folderFiles.find(id, "a\nb")).toMatchObject(rowOf("a\nb", "a\nb"));
});

test("files put in all at once are the rows that they are one by one, each path once", () => {
  const store = temporaryStore();
  const [one, other] = [projectIn(store), projectIn(store, "orchard")];
  const files = ["a", "b/c", "d"].map((name) => rowOf(name, name, { mtimeMs: 1_700_000_000_000.123 }));
  for (const file of files) store.folderFiles.put(one, file);
  store.transaction(() => store.folderFiles.addAll(other, files));
  const rowsIn = (id: typeof one) => store.folderFiles.list(id).map(({ projectId: _, ...row }) => row);
  expect(rowsIn(other)).toEqual(rowsIn(one));
  const twice = [rowOf("e", "e"), rowOf("a", "not a"), rowOf("e", "not e")];
  store.transaction(() => store.folderFiles.addAll(other, twice));
  store.folderFiles.put(one, rowOf("e", "e"));
  expect(rowsIn(other)).toEqual(rowsIn(one));
  store.folderFiles.put(other, rowOf("a", "another"));
  expect(store.damage()).toBeUndefined();
});

test("a summary is stored for all files with that content and type, cut to 500 characters", () => {
  const store = temporaryStore();
  const id = projectIn(store);
  for (const name of ["a", "b"]) store.folderFiles.put(id, rowOf(name, "same"));
  store.folderFiles.put(id, rowOf("c", "same", { kind: "image" }));
  const summary = "\u{1f33f}".repeat(600);
  expect(store.folderFiles.setSummary(id, "a", "same", { ...made, summary, tag: "data" })).toBe(2);
  expect(store.folderFiles.list(id).map(({ tag, summary: kept }) => [tag, kept?.length])).toEqual([
    ["data", 1_000],
    ["doc", 1_000],
    ["doc", undefined],
  ]);
});

test("what is said about a content that is no longer there is not stored", () => {
  const store = temporaryStore();
  const id = projectIn(store);
  store.folderFiles.put(id, rowOf("a", "new"));
  expect(store.folderFiles.setSummary(id, "a", "old", made)).toBe(0);
  expect(store.folderFiles.setSkipped(id, "a", "old", "corrupt")).toBe(false);
  expect(store.folderFiles.setError(id, "a", "old", "x")).toBe(false);
  expect(store.folderFiles.find(id, "a")).toMatchObject({ kind: "text", summary: null });
});

test("a failed file is wanted until it has its summary, and is then what it was", () => {
  const store = temporaryStore();
  const id = projectIn(store);
  store.folderFiles.put(id, rowOf("a", "h"));
  store.folderFiles.setError(id, "a", "h", "model_unavailable");
  expect(store.folderFiles.unsummarized(id)).toMatchObject([{ kind: "error", skipReason: "model_unavailable" }]);
  store.folderFiles.setSummary(id, "a", "h", made);
  expect(store.folderFiles.unsummarized(id)).toEqual([]);
  expect(store.folderFiles.find(id, "a")).toMatchObject({ kind: "text", skipReason: null, summary: "says so" });
});

test("4.3: unlinking and another folder forget the manifest; the same folder keeps it; removing leaves nothing", () => {
  const store = temporaryStore();
  const id = projectIn(store);
  const fill = () => store.folderFiles.put(id, rowOf("a", "h"));
  fill();
  store.projects.link(id, "/folders/garden");
  expect(store.folderFiles.counts(id)).toEqual({ total: 1, byKind: { text: 1 } });
  store.projects.link(id, "/folders/elsewhere");
  expect(store.folderFiles.total(id)).toBe(0);
  fill();
  expect(store.projects.unlink(id)).toMatchObject({ folderPath: null, folderTotalFiles: 0 });
  expect(store.folderFiles.total(id)).toBe(0);

  fill();
  const planting = addEntity(store, "task", { title: "Plant", projectId: id }, 1);
  store.localScouts.put(id);
  const run = store.scoutRuns.start(id, "manual");
  store.scoutRuns.addActions(run.id, [{ action: "added", relativePath: "a", fromPath: null, code: null }]);
  store.projects.remove(id);
  expect([store.folderFiles.total(id), store.localScouts.list(), store.scoutRuns.list(id)]).toEqual([0, [], []]);
  // What is to be done is the person's own: it outlives the project.
  expect(store.work.task.find(planting.id)).toEqual({ ...planting, projectId: null });
  expect(store.scoutRuns.actions(run.id)).toEqual([]);
});

test("the files changed last come first", () => {
  const store = temporaryStore();
  const id = projectIn(store);
  for (const [index, name] of ["old", "new", "middle"].entries()) {
    store.folderFiles.put(id, rowOf(name, name, { mtimeMs: [1, 3, 2][index] ?? 0 }));
  }
  expect(store.folderFiles.recent(id, 2).map(({ relativePath }) => relativePath)).toEqual(["new", "middle"]);
});

test("3.5: tasks have a title and a state", () => {
  const store = temporaryStore();
  const id = projectIn(store);
  const task = addEntity(store, "task", { title: "Plant the beans", projectId: id }, 1);
  expect(task.id).toMatch(/^tsk_/);
  expect(setTaskStatus(store, task.id, "done", 2)).toMatchObject({ status: "done", title: "Plant the beans" });
  expect(store.work.task.list()).toHaveLength(1);
});

test("4.3: a folder is due when it was not scanned for a day, is linked, enabled and not being scanned", () => {
  let nowMs = 100 * hour;
  const dataFolder = temporaryFolder();
  const store = temporaryStore(dataFolder, () => nowMs);
  const ids = ["fresh", "off", "busy", "unlinked"].map((name) => projectIn(store, name));
  const [fresh, off, busy, unlinked] = ids;
  if (!fresh || !off || !busy || !unlinked) throw new Error("no projects");
  for (const id of ids) store.localScouts.put(id);
  store.localScouts.put(off, { isEnabled: false });
  store.projects.unlink(unlinked);
  const scan = (id: typeof fresh) => {
    store.projects.beginScan(id, { holder: `h${id}`, pid: 1, until: nowMs + hour }, () => false);
  };
  scan(busy);
  expect(store.localScouts.due()).toEqual([fresh]);
  scan(fresh);
  store.projects.endScan(fresh, `h${fresh}`, { status: "idle", totalFiles: 0 });
  expect(store.localScouts.due()).toEqual([]);
  nowMs += 24 * hour - 1;
  expect(store.localScouts.due()).toEqual([]);
  nowMs += 1;
  expect(store.localScouts.due()).toEqual([fresh]);
});

test("nothing silent: a folder that was scanned while the clock was years ahead is scanned again", () => {
  const rightMs = Date.UTC(2026, 10, 26);
  let nowMs = Date.UTC(2031, 0, 1);
  const store = temporaryStore(undefined, () => nowMs);
  const id = projectIn(store, "garden");
  store.localScouts.put(id);
  store.projects.beginScan(id, { holder: "h", pid: 1, until: nowMs + 1 }, () => false);
  store.projects.endScan(id, "h", { status: "idle", totalFiles: 0 });
  nowMs = rightMs;
  expect(store.localScouts.due()).toEqual([id]);
});

test("the database takes every kind the contract knows", () => {
  const store = temporaryStore();
  const id = projectIn(store);
  for (const kind of manifestKinds) store.folderFiles.put(id, rowOf(`${kind}.md`, kind, { kind }));
  expect(store.folderFiles.total(id)).toBe(manifestKinds.length);
});

test("thirty runs of each project are remembered", () => {
  const store = temporaryStore();
  const [id, other] = [projectIn(store), projectIn(store, "other")];
  store.scoutRuns.start(other, "link");
  const runs = Array.from({ length: 33 }, () => store.scoutRuns.start(id, "daily").id);
  expect(store.scoutRuns.list(id).map((run) => run.id)).toEqual(runs.slice(3).reverse());
  expect(store.scoutRuns.list(other)).toHaveLength(1);
});
