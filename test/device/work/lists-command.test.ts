import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../../cli/program.ts";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { addEntity, editEntity } from "../../../device/work/change-entities.ts";
import { setTaskStatus } from "../../../device/work/tasks/task-status.ts";
import { Screen } from "../screen.ts";
import { temporaryFolder } from "../setting.ts";

const nowMs = Date.UTC(2026, 10, 22, 12);

/** The command line on a data folder of its own, at a fixed time. */
function atNoon() {
  const data = temporaryFolder();
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: data, now: () => nowMs });
  const run = async (...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
    const base = { io, environment: {}, workingFolder: data, ...systemTimeAndIds, now: () => nowMs };
    const exit = await runCommand([...words, "--data", data], { ...base, zone: () => "Europe/Berlin" }, "1");
    return { exit, out: stdout.written, err: stderr.written };
  };
  return { data, store, run };
}

test("event list: a series at its next time, what is over not at all", async () => {
  const { store, run } = atNoon();
  const times = { start: "2026-01-07T19:30:00", end: "2026-01-07T21:00:00", zone: "Europe/Berlin" };
  addEntity(store, "event", { title: "Choir", ...times, recurrence: ["RRULE:FREQ=WEEKLY"] }, 1);
  addEntity(store, "event", { title: "Course", ...times, recurrence: ["RRULE:FREQ=WEEKLY;COUNT=3"] }, 1);
  // It ended this morning, and the next is a week away.
  const sunday = { start: "2026-11-15T10:00:00", end: "2026-11-15T11:00:00", zone: "Europe/Berlin" };
  addEntity(store, "event", { title: "Walk", ...sunday, recurrence: ["RRULE:FREQ=WEEKLY"] }, 1);
  store.close();
  const { out } = await run("event", "list");
  expect(out).toMatch(/2026-11-25 19:30-21:00 +Choir[\s\S]+2026-11-29 10:00-11:00 +Walk/);
  expect(out).not.toContain("Course");
  expect((await run("event", "list", "--all")).out).toContain("Course");
});

test("a series not all of whose times are known is named in every list, and says why", async () => {
  const { store, run } = atNoon();
  const times = { start: "2026-01-07T19:30:00", end: "2026-01-07T21:00:00", zone: "Europe/Berlin" };
  addEntity(store, "event", { title: "Choir", ...times, recurrence: ["RRULE:FREQ=YEARLY;BYWEEKNO=48"] }, 1);
  const many = Array.from({ length: 100 }, () => "RRULE:FREQ=DAILY");
  addEntity(store, "event", { title: "Course", ...times, recurrence: many }, 1);
  const off = { status: "cancelled" as const, recurrence: many };
  addEntity(store, "event", { title: "Cancelled", ...times, ...off }, 1);
  addEntity(store, "event", { title: "Walk", ...times, recurrence: ["RRULE:FREQ=WEEKLY"] }, 1);
  store.close();
  const named = "Not all times are known of: Choir, Course; scouts event show says why";
  expect((await run("event", "list")).out).toContain(named);
  expect((await run("brief")).out).toContain(named);
  // A program has its own objects, and whoever runs it is told.
  const { out, err } = await run("event", "list", "--json");
  expect(JSON.parse(out)).toMatchObject([{ title: "Walk" }]);
  expect(err).toBe(`${named}\n`);
  expect((await run("event", "show", "Choir")).out).toMatch(/but +one of its rules or dates is not understood/);
  expect((await run("event", "show", "Course")).out).toMatch(/but +it has more rules or dates than are worked out/);
  expect((await run("event", "show", "Walk")).out).not.toContain("but ");
});

test("note export: one to a file or a program, all of them into a folder, and why not", async () => {
  const { data, store, run } = atNoon();
  addEntity(store, "note", { title: "Paint/west", markdown: "Blue" }, 1);
  addEntity(store, "note", { title: "paint west" }, 2);
  store.close();
  expect((await run("note", "export", "Paint/west")).out).toBe("# Paint/west\n\nBlue\n");
  // As for events and tasks, all of the place: a program may have another working folder than its person thinks.
  const written = (what: string, to: string) => `written  ${what}  ${path.join(data, to)}\n`;
  expect((await run("note", "export", "Paint/west", "--to", "one.md")).out).toBe(written("1 note", "one.md"));
  expect(readFileSync(path.join(data, "one.md"), "utf8")).toBe("# Paint/west\n\nBlue\n");
  expect((await run("note", "export", "--to", "all")).out).toBe(written("2 notes", "all"));
  expect(readdirSync(path.join(data, "all")).toSorted()).toEqual(["Paint west.md", "paint west 2.md"]);
  writeFileSync(path.join(data, "file"), "");
  expect(await run("note", "export", "--to", "file")).toMatchObject({
    exit: 1,
    err: expect.stringContaining("(export_failed)"),
  });
  for (const place of ["/proc/notes", "file/notes", "n".repeat(300)]) {
    expect(await run("note", "export", "--to", place)).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/cannot be (?:made a folder|written).*\(export_failed\)\n$/),
    });
    expect(await run("note", "export", "Paint/west", "--to", place)).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/cannot be written; check .*\(export_failed\)\n$/),
    });
  }
  expect(await run("note", "export", "Nothing")).toMatchObject({ err: expect.stringContaining("(note_unknown)") });
});

test("a history says in words what was changed", async () => {
  const { store, run } = atNoon();
  const { id } = store.projects.add("Garden");
  const task = addEntity(store, "task", { title: "Mow" }, 1);
  editEntity(store, "task", task.id, { projectId: id, note: "early" }, 2);
  setTaskStatus(store, task.id, "done", 3);
  const note = addEntity(store, "note", { title: "Paint" }, 1);
  editEntity(store, "note", note.id, { markdown: "Red." }, 2);
  store.close();
  const { out } = await run("task", "history", task.id);
  expect(out).toMatch(/changed status +Mow[\s\S]+changed note, project +Mow/);
  expect((await run("note", "history", note.id)).out).toMatch(/changed text +Paint/);
});

test("a search that is interrupted while its index is brought up to date ends, and the next one finds all the same", async () => {
  const { data, store, run } = atNoon();
  for (let n = 0; n < 450; n += 1) addEntity(store, "task", { title: `Mow lawn ${n}` }, 1);
  store.close();
  const stderr = new Screen();
  const io = { stdout: new Screen(), stderr, isTTY: false, color: false, signal: AbortSignal.abort() };
  const context = { io, environment: {}, workingFolder: data, ...systemTimeAndIds };
  expect(await runCommand(["search", "lawn", "--data", data], context, "1")).toBe(130);
  // On a slow machine how far it is stands before it.
  expect(stderr.written.replace(/^Indexing .*\n/gm, "")).toBe(
    "scouts: Interrupted while the index was brought up to date; the next search goes on with that. (interrupted)\n",
  );
  expect((await run("search", "lawn 449")).out).toContain("Mow lawn 449");
});

test("nothing lost: all notes are written over none of a folder's own files, unless that is said", async () => {
  const { data, store, run } = atNoon();
  addEntity(store, "note", { title: "Paint", markdown: "Blue" }, 1);
  addEntity(store, "note", { title: "Wood", markdown: "Oak" }, 2);
  store.close();
  const [vault, own] = [path.join(data, "vault"), path.join(data, "vault", "Paint.md")];
  mkdirSync(vault);
  writeFileSync(own, "My own recipe\n");
  expect(await run("note", "export", "--to", "vault")).toMatchObject({
    exit: 1,
    err: expect.stringMatching(/Paint\.md.*Nothing was written\..*--replace.*\(export_failed\)/),
  });
  expect([readdirSync(vault), readFileSync(own, "utf8")]).toEqual([["Paint.md"], "My own recipe\n"]);
  expect(await run("note", "export", "--to", "vault", "--replace")).toMatchObject({ exit: 0 });
  expect(readFileSync(own, "utf8")).toBe("# Paint\n\nBlue\n");
  // What says the same already is no one's loss.
  expect(await run("note", "export", "--to", "vault")).toMatchObject({ exit: 0 });
});

test("what is exported to a link is in the file that it leads to, as one that lies in a folder that is synced", async () => {
  const { data, store, run } = atNoon();
  addEntity(store, "task", { title: "Mow" }, 1);
  store.close();
  writeFileSync(path.join(data, "synced.txt"), "");
  symlinkSync("synced.txt", path.join(data, "todo.txt"));
  expect(await run("task", "export", "--to", "todo.txt")).toMatchObject({ exit: 0 });
  expect(readFileSync(path.join(data, "synced.txt"), "utf8")).toContain("Mow");
});

test("nothing silent: which day was read of words is said when a task or an event is made or changed", async () => {
  const { store, run } = atNoon();
  store.close();
  expect((await run("task", "add", "Mow", "--due", "by friday")).out).toMatch(
    /^added {2}Mow {2}due 2026-11-27 {2}tsk_\w+\n$/,
  );
  expect((await run("task", "edit", "Mow", "--due", "monday 17:00")).out).toMatch(
    /^\w+ {2}Mow {2}due 2026-11-23 17:00 {2}tsk_/,
  );
  expect((await run("task", "add", "Rake")).out).toMatch(/^added {2}Rake {2}tsk_\w+\n$/);
  const times = ["--start", "next thursday 19:30", "--zone", "America/New_York"];
  expect((await run("event", "add", "Choir", ...times)).out).toMatch(
    /^added {2}Choir {2}2026-11-27 01:30-02:30 \(2026-11-26 19:30 America\/New_York\) {2}evt_\w+\n$/,
  );
});
