import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDeviceError } from "../../../device/errors.ts";
import { addEntity, editEntity, eraseEntity, removeEntity } from "../../../device/work/change-entities.ts";
import type { Draft } from "../../../device/work/entities.ts";
import { entityNamed, idNamed } from "../../../device/work/find-entity.ts";
import { tasksInOrder } from "../../../device/work/tasks/task-order.ts";
import { setTaskStatus } from "../../../device/work/tasks/task-status.ts";
import { undoChange } from "../../../device/work/undo-change.ts";
import { projectId } from "../../../events/ids.ts";
import { rounds } from "../../rounds.ts";
import { temporaryStore } from "../setting.ts";

const drafts = {
  task: { title: "Answer Ada" },
  event: { title: "Fair", start: "2026-11-27T17:00:00", end: "2026-11-27T18:00:00", zone: "Europe/Berlin" },
  note: { title: "Paint", markdown: "# Blue" },
  person: { name: "Bea Lind", addresses: ["bea@example.org"] },
  memory: { fact: "Likes tea", source: "herself" },
} as const;
const others = {
  task: { title: "Answer Bea" },
  event: { title: "Market" },
  note: { markdown: "# Red" },
  person: { addresses: [] },
  memory: { source: "a letter" },
} as const;

const code = (wanted: string) => expect.objectContaining({ code: wanted });

describe.each(["task", "event", "note", "person", "memory"] as const)("%s", (kind) => {
  test("P2: what is made, changed and taken away comes back by undo, step by step, and is as it was", () => {
    const store = temporaryStore();
    const made = addEntity(store, kind, structuredClone(drafts[kind]) as Draft<typeof kind>, 1);
    expect(made).toMatchObject(drafts[kind]);
    const edited = editEntity(store, kind, made.id, structuredClone(others[kind]) as Draft<typeof kind>, 2);
    expect(edited).toEqual({ ...made, ...others[kind], updatedAt: 2 });
    removeEntity(store, kind, made.id);
    expect(store.work[kind].list()).toEqual([]);

    expect(undoChange(store, kind, made.id).entity).toEqual(edited);
    expect(undoChange(store, kind, made.id).entity).toEqual(made);
    expect(store.work[kind].find(made.id)).toEqual(made);
    expect(undoChange(store, kind, made.id).entity).toBeNull();
    expect(() => undoChange(store, kind, made.id)).toThrow(code("change_unknown"));

    // Undo of an undo, back to the end again.
    for (const number of [6, 5]) undoChange(store, kind, made.id, number);
    expect(store.work[kind].find(made.id)).toEqual(edited);
    undoChange(store, kind, made.id, 4);
    expect(store.work[kind].list()).toEqual([]);
    expect(store.damage()).toBeUndefined();
  });

  test("what is unknown is told by its code, and what cannot be kept by its field", () => {
    const store = temporaryStore();
    expect(() => removeEntity(store, kind, "x")).toThrow(code(`${kind}_unknown`));
    expect(() => entityNamed(store, kind, "x")).toThrow(code(`${kind}_unknown`));
    const field = { task: "title", event: "title", note: "title", person: "name", memory: "fact" }[kind];
    const empty = { ...structuredClone(drafts[kind]), [field]: " " } as Draft<typeof kind>;
    expect(() => addEntity(store, kind, empty, 1)).toThrow(
      expect.objectContaining({ code: "value_invalid", message: expect.stringContaining("has 1 to"), data: { field } }),
    );
    expect(store.entityChanges.latest(kind, 9)).toEqual([]);
  });
});

test("undo of what something newer rests on is refused, of what nothing newer touches it is not", () => {
  const store = temporaryStore();
  const { id } = addEntity(store, "task", { title: "A" }, 1);
  editEntity(store, "task", id, { title: "B" }, 2);
  editEntity(store, "task", id, { title: "C" }, 3);
  editEntity(store, "task", id, { note: "n" }, 4);
  expect(() => undoChange(store, "task", id, 2)).toThrow(
    expect.objectContaining({ code: "change_superseded", message: expect.stringMatching(/^Change 3 is newer/) }),
  );
  expect(undoChange(store, "task", id, 3).entity).toMatchObject({ title: "B", note: "n" });
  expect(undoChange(store, "task", id, 2).entity).toMatchObject({ title: "A", note: "n" });
  expect(() => undoChange(store, "task", id, 2)).toThrow(code("change_superseded"));
  // Bringing the third back would need what the second had made.
  expect(() => undoChange(store, "task", id, 5)).toThrow(code("change_superseded"));
  expect(() => undoChange(store, "task", id, 99)).toThrow(code("change_unknown"));
});

test("the same value written again is no change, and a state that stands is not set anew", () => {
  const store = temporaryStore();
  const made = addEntity(store, "task", { title: "A" }, 1);
  expect(editEntity(store, "task", made.id, { title: "A" }, 2)).toEqual(made);
  const done = setTaskStatus(store, made.id, "done", 3);
  expect(done).toMatchObject({ status: "done", doneAt: 3 });
  expect(setTaskStatus(store, made.id, "done", 4)).toEqual(done);
  expect(store.entityChanges.of(made.id)).toHaveLength(2);
});

test("erased for good: neither row nor past is left, and nothing brings it back", () => {
  const store = temporaryStore();
  const { id } = addEntity(store, "memory", { fact: "A secret" }, 1);
  removeEntity(store, "memory", id);
  expect(idNamed(store, "memory", "a secret")).toBe(id);
  eraseEntity(store, "memory", id);
  expect(store.entityChanges.latest("memory", 9)).toEqual([]);
  expect(() => idNamed(store, "memory", "a secret")).toThrow(code("memory_unknown"));
});

test("a project that is not there, or not any more, is no project of a task", () => {
  const store = temporaryStore();
  const unknown = projectId.parse("prj_01JD0000000000000000000000");
  expect(() => addEntity(store, "task", { title: "A", projectId: unknown }, 1)).toThrow(code("project_unknown"));
  const project = store.projects.add("Garden");
  const { id } = addEntity(store, "task", { title: "A", projectId: project.id }, 1);
  removeEntity(store, "task", id);
  store.projects.remove(project.id);
  expect(() => undoChange(store, "task", id)).toThrow(code("project_unknown"));
  expect(store.work.task.list()).toEqual([]);
});

test.each([
  ["an end before the start", { start: "2026-11-27T17:00:00", end: "2026-11-27T16:00:00" }, /its end lies before/],
  ["a day and a time", { start: "2026-11-27", end: "2026-11-27T16:00:00" }, /its start/],
  ["30 February", { start: "2026-02-30", end: "2026-03-01", isAllDay: true }, /its start/],
  ["a zone nobody knows", { start: "2026-11-27T17:00:00", end: "2026-11-27T18:00:00", zone: "Mars/Base" }, /its zone/],
])("an event with %s is refused", (_, draft, sentence) => {
  const store = temporaryStore();
  expect(() => addEntity(store, "event", { title: "Fair", ...draft }, 1)).toThrow(
    expect.objectContaining({ code: "value_invalid", message: expect.stringMatching(sentence) }),
  );
});

test("a task is named by its id, the end of it, its title or a part; the open one before the done one", () => {
  const store = temporaryStore();
  const first = addEntity(store, "task", { title: "Answer Ada" }, 1);
  const second = addEntity(store, "task", { title: "Answer Ada again" }, 1);
  expect(entityNamed(store, "task", first.id)).toEqual(first);
  expect(entityNamed(store, "task", second.id.slice(-6).toLowerCase())).toEqual(second);
  expect(entityNamed(store, "task", "answer ada")).toEqual(first);
  expect(entityNamed(store, "task", "again")).toEqual(second);
  expect(() => entityNamed(store, "task", "answer")).toThrow(code("usage"));
  setTaskStatus(store, first.id, "done", 2);
  expect(entityNamed(store, "task", "answer")).toEqual(second);
});

test("tasks come by when they are due, then by priority, then as they were made", () => {
  const store = temporaryStore();
  for (const draft of [
    { title: "late", due: "2026-12-01" },
    { title: "never" },
    { title: "later", priority: "later" as const },
    { title: "the next day", due: "2026-11-23" },
    // In the evening of the day before, where the person is.
    { title: "today at seven", due: "2026-11-23T03:00:00Z" },
    { title: "today", due: "2026-11-22" },
    { title: "now", priority: "now" as const },
  ]) {
    addEntity(store, "task", draft, 1);
  }
  const order = tasksInOrder(store.work.task.list(), "America/Los_Angeles").map(({ title }) => title);
  expect(order).toEqual(["today", "today at seven", "the next day", "late", "now", "later", "never"]);
});

test("P2: whatever is changed and undone in whatever order, the history tells the row, and an undo undone leaves no trace", () => {
  const step = fc.oneof(
    fc.record({ title: fc.constantFrom("A", "B", "C") }),
    fc.record({ note: fc.constantFrom("", "n", "m") }),
    fc.constant("remove" as const),
    fc.constant("undo" as const),
    fc.nat({ max: 12 }),
  );
  const store = temporaryStore();
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      const { id } = addEntity(store, "task", { title: "A" }, 1);
      const row = () => store.work.task.find(id) ?? null;
      const numberAt = (at: number) => store.entityChanges.of(id).at(at)?.number ?? 0;
      for (const [at, each] of steps.entries()) {
        const before = row();
        const changes = store.entityChanges.of(id).length;
        try {
          if (each === "remove") removeEntity(store, "task", id);
          else if (each === "undo") undoChange(store, "task", id);
          else if (typeof each === "number") undoChange(store, "task", id, numberAt(each));
          else editEntity(store, "task", id, each, at + 2);
          if (each === "undo" || typeof each === "number") {
            const undone = row();
            undoChange(store, "task", id, numberAt(-1));
            expect(row()).toEqual(before);
            undoChange(store, "task", id, numberAt(-1));
            expect(row()).toEqual(undone);
          }
        } catch (error) {
          if (!isDeviceError(error)) throw error;
          expect(["change_superseded", "change_unknown", "task_unknown"]).toContain(error.code);
          expect([row(), store.entityChanges.of(id).length]).toEqual([before, changes]);
        }
        expect(store.entityChanges.of(id).at(-1)?.after).toEqual(row());
      }
    }),
    { numRuns: rounds(150) },
  );
  expect(store.damage()).toBeUndefined();
});

test("an address that is empty is refused as such", () => {
  const store = temporaryStore();
  expect(() => addEntity(store, "person", { name: "Bea", addresses: [""] }, 1)).toThrow(
    /one of them is empty or longer/,
  );
});
