import { expect, test } from "vitest";
import { DeviceError, sentenceOf } from "../../../device/errors.ts";
import type { DeviceStore } from "../../../device/store/open.ts";
import { addEntity } from "../../../device/work/change-entities.ts";
import { importInParts } from "../../../device/work/interchange/import-events.ts";
import { importTasks } from "../../../device/work/interchange/import-tasks.ts";
import { readTodoTxt, writeTodoTxt } from "../../../device/work/interchange/todo-txt.ts";
import { temporaryStore } from "../setting.ts";

const many = {
  events: Array.from({ length: 600 }, (_, n) => ({
    ...{ uid: `${n}@example.org`, title: `Fair ${n}`, start: "2026-11-27T17:00:00", end: "2026-11-27T18:00:00" },
    ...{ zone: "UTC", stampedAt: 1 },
  })),
  untaken: [],
};

test("P5: while a calendar of years is imported, other programs write", async () => {
  const store = temporaryStore();
  const other = temporaryStore(store.dataFolder);
  const told: number[] = [];
  const { added } = await importInParts(store, many, 1, {
    told(done) {
      told.push(done);
      addEntity(other, "task", { title: `Call ${done}` }, 1);
    },
  });
  expect(added).toBe(600);
  expect(told).toEqual([250, 500, 600]);
  expect(other.work.task.list()).toHaveLength(3);
});

test("P2: a calendar that is imported twice at once is there once", async () => {
  const store = temporaryStore();
  const other = temporaryStore(store.dataFolder);
  const both = await Promise.all([store, store, other].map((each) => importInParts(each, many, 1)));
  expect(both.reduce((sum, { added }) => sum + added, 0)).toBe(600);
  expect(both.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(1_200);
  expect(store.work.event.list()).toHaveLength(600);
});

test("P2: an import that is interrupted says how far it came, and the next one takes the rest", async () => {
  const store = temporaryStore();
  const abort = new AbortController();
  const told = () => abort.abort();
  await expect(importInParts(store, many, 1, { told, signal: abort.signal })).rejects.toMatchObject({
    code: "interrupted",
    message: expect.stringContaining("250 of 600 events"),
  });
  expect(await importInParts(store, many, 2)).toMatchObject({ added: 350, unchanged: 250 });
});

test.each(["store_full", "store_busy", "store_disk"] as const)(
  "nothing silent: an import that %s ends says how far it came, and the next one takes the rest",
  async (code) => {
    const store = temporaryStore();
    let isOver = false;
    const transaction: DeviceStore["transaction"] = (work) => {
      if (isOver) throw new DeviceError(code);
      return store.transaction(work);
    };
    const told = () => {
      isOver = true;
    };
    await expect(importInParts({ ...store, transaction }, many, 1, { told })).rejects.toMatchObject({
      code,
      message: `${sentenceOf(code)} 250 of 600 events were looked at before that. Import the file again, and the rest follow.`,
    });
    expect(await importInParts(store, many, 2)).toMatchObject({ added: 350, unchanged: 250 });
  },
);

const manyTasks = readTodoTxt(Array.from({ length: 600 }, (_, n) => `Call ${n}`).join("\n"), [], "UTC");

test("P2: an import of tasks that is interrupted says how far it came, and the next one takes the rest", async () => {
  const store = temporaryStore();
  const abort = new AbortController();
  const told = () => abort.abort();
  await expect(importTasks(store, manyTasks, 1, { told, signal: abort.signal })).rejects.toMatchObject({
    code: "interrupted",
    message: "Interrupted: 250 of 600 tasks were looked at. Import the file again, and the rest follow.",
  });
  expect(await importTasks(store, manyTasks, 2)).toEqual({ added: 350, changed: 0, unchanged: 250 });
});

test("P2: tasks that are imported twice at once are there once, and other programs write meanwhile", async () => {
  const store = temporaryStore();
  const other = temporaryStore(store.dataFolder);
  const told = (done: number) => void addEntity(other, "note", { title: `After ${done}` }, 1);
  const both = await Promise.all([store, store, other].map((each) => importTasks(each, manyTasks, 1, { told })));
  expect(both.reduce((sum, { added }) => sum + added, 0)).toBe(600);
  expect(store.work.task.list()).toHaveLength(600);
  expect(store.work.note.list()).toHaveLength(9);
});

test("P2: tasks that another device has written are there once, however often its file is imported", async () => {
  const [here, there] = [temporaryStore(), temporaryStore()];
  const made = ["Call Ada", "Call Bea"].map((title) => addEntity(there, "task", { title }, 1));
  const file = readTodoTxt(writeTodoTxt(made, [], "UTC"), [], "UTC");
  expect(await importTasks(here, file, 2)).toEqual({ added: 2, changed: 0, unchanged: 0 });
  expect(await importTasks(here, file, 3)).toEqual({ added: 0, changed: 0, unchanged: 2 });
});
