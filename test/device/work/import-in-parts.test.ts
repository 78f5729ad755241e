import { expect, test } from "vitest";
import { DeviceError, sentenceOf } from "../../../device/errors.ts";
import type { DeviceStore } from "../../../device/store/open.ts";
import { addEntity } from "../../../device/work/change-entities.ts";
import { importInParts } from "../../../device/work/interchange/import-events.ts";
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
