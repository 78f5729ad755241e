import { writeFileSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../../cli/program.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { addEntity } from "../../../device/work/change-entities.ts";
import type { Draft, Task } from "../../../device/work/entities.ts";
import { takeTasks } from "../../../device/work/interchange/export-work.ts";
import { importTasks } from "../../../device/work/interchange/import-tasks.ts";
import { SaidAlready } from "../../../device/work/interchange/is-said.ts";
import { readTasksMarkdown, writeTasksMarkdown } from "../../../device/work/interchange/tasks-markdown.ts";
import { readTodoTxt, writeTodoTxt } from "../../../device/work/interchange/todo-txt.ts";
import { setTaskStatus } from "../../../device/work/tasks/task-status.ts";
import type { TaskId } from "../../../events/ids.ts";
import { priorities } from "../../../events/proposals/categorize.ts";
import { rounds } from "../../rounds.ts";
import { Screen } from "../screen.ts";
import { temporaryFolder, temporaryStore } from "../setting.ts";

const zone = "Pacific/Auckland";
const garden = { id: "prj_01JD0000000000000000000000", name: "Garden shed" } as const;
const forms = {
  "todo.txt": { read: readTodoTxt, write: writeTodoTxt },
  Markdown: { read: readTasksMarkdown, write: writeTasksMarkdown },
} as const;

test.each<readonly [line: string, draft: Draft<"task">]>([
  ["Call Ada", { title: "Call Ada", status: "open", priority: "none", due: null }],
  ["(A) 2026-11-20 Call Ada due:2026-11-27", { title: "Call Ada", priority: "now", due: "2026-11-27" }],
  ["(Z) Call Ada @phone", { title: "Call Ada @phone", priority: "later" }],
  [
    "x 2026-11-21 2026-11-20 Call Ada pri:B",
    { status: "done", doneAt: Date.parse("2026-11-20T11:00:00Z"), priority: "soon" },
  ],
  ["x 2026-99-99 Call Ada", { status: "done", doneAt: null, title: "2026-99-99 Call Ada" }],
  ["2026-02-30 Call Ada", { title: "2026-02-30 Call Ada" }],
  ["xylophone lesson", { title: "xylophone lesson", status: "open" }],
  ["Call Ada due:soon http://example.org/a:b", { title: "Call Ada due:soon http://example.org/a:b", due: null }],
  ["Lend Ada title:Dune before May", { title: "Lend Ada title:Dune before May" }],
  ["Call Ada +Unknown note:%E0%A4%A", { title: "Call Ada +Unknown note:%E0%A4%A", projectId: null }],
])("todo.txt: %s", (line, draft) => {
  expect(readTodoTxt(`\ufeff\r\n${line}\r\n`, [], zone)).toMatchObject([{ id: undefined, draft }]);
});

test("Markdown: lists of others, with notes, and what is no task", () => {
  const text = "# Plan\n\n* [ ] Call Ada\n  by phone\n\ntext\n1. [X] Mow\n  - [ ] Sharpen\n- no task\n";
  expect(readTasksMarkdown(text, []).map(({ draft }) => [draft.title, draft.status, draft.note])).toEqual([
    ["Call Ada", "open", "by phone"],
    ["Mow", "done", ""],
    ["Sharpen", "open", ""],
  ]);
  expect(readTasksMarkdown('- [ ] A <!-- {"due": 7} -->\n- [ ] B <!-- {no -->', [])).toHaveLength(2);
});

test("Markdown: nothing lost of a note in paragraphs, also when an editor took the blanks of its empty lines", () => {
  const text =
    "- [ ] Paint\n\n  The shed first.\n\n\n  Then the fence.\n\nNo note.\n\n  Of nothing.\n- [ ] Mow\n\n- [x] Rake\n";
  expect(readTasksMarkdown(text, []).map(({ draft }) => [draft.title, draft.note])).toEqual([
    ["Paint", "The shed first.\n\n\nThen the fence."],
    ["Mow", ""],
    ["Rake", ""],
  ]);
  const note = "One.\n\n- [ ] Two.\n\nThree.";
  const written = writeTasksMarkdown([addEntity(temporaryStore(), "task", { title: "Write", note }, 1)], []);
  expect(readTasksMarkdown(written.replace(/ +$/gm, ""), [])).toMatchObject([{ draft: { title: "Write", note } }]);
});

test("Markdown: a note below a task may stand behind a tab, as some editors set it in", () => {
  const text = "- [ ] Call Ada\n\tby phone\n\t- her number is new\n- [ ] Mow\n";
  expect(readTasksMarkdown(text, []).map(({ draft }) => [draft.title, draft.note])).toEqual([
    ["Call Ada", "by phone\n- her number is new"],
    ["Mow", ""],
  ]);
});

describe.each(["todo.txt", "Markdown"] as const)("%s", (form) => {
  const { read, write } = forms[form];

  test("P2: what is written is read again as it was, and taken a second time it changes nothing", async () => {
    const words = fc
      .string({ unit: "grapheme", maxLength: 40 })
      .map((text) => text.replace(/[\p{Cc}\p{Cs}]/gu, " ").trim());
    const tricky = fc.constantFrom(
      "x y",
      "(A) b",
      "2026-11-27 c",
      "due:2026-01-01",
      "+Garden_shed",
      "a  b",
      "<!-- {} -->",
      "-->",
      "a: b",
      "a\u2028b",
      "\u2029- [x] c",
    );
    const note = fc.array(fc.oneof(words, tricky, fc.constant("- [ ] sub"), fc.constant("")), { maxLength: 4 });
    const draft = fc.record({
      title: fc.oneof(words, tricky).filter((text) => text !== ""),
      note: note.map((lines) => lines.join("\n")),
      due: fc.constantFrom(null, "2026-11-27", "2026-11-27T16:00:00Z", "1850-01-01T00:00:01Z", "9999-12-31T23:59:59Z"),
      priority: fc.constantFrom(...priorities),
      status: fc.constantFrom("open" as const, "done" as const),
      inGarden: fc.boolean(),
    });
    const store = temporaryStore();
    const project = store.projects.add(garden.name);
    const own = ({ title, note, due, priority, status, projectId }: Task | Draft<"task">) => ({
      title,
      note,
      due,
      priority,
      status,
      projectId,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(draft, { minLength: 1, maxLength: 3 }), async (drafts) => {
        const made = drafts.map(({ inGarden, ...each }) =>
          addEntity(store, "task", { ...each, projectId: inGarden ? project.id : null }, 86_400_000),
        );
        const again = read(write(made, [project], zone), [project], zone);
        expect(again.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
        expect(again.map((each) => own(each.draft))).toEqual(made.map(own));
        expect(await importTasks(store, again, 2)).toEqual({ added: 0, changed: 0, unchanged: made.length });
      }),
      { numRuns: rounds(150) },
    );
  });

  test("taken by another device they are added once, and a change in the file changes the one", async () => {
    const [here, there] = [temporaryStore(), temporaryStore()];
    const made = addEntity(here, "task", { title: "Call Ada", note: "by phone" }, 1);
    expect(await importTasks(there, read(write([made], [], zone), [], zone), 2)).toEqual({
      added: 1,
      changed: 0,
      unchanged: 0,
    });
    const changed = read(write([made], [], zone).replace("Call Ada", "Call Bea"), [], zone);
    expect(await importTasks(here, changed, 3)).toEqual({ added: 0, changed: 1, unchanged: 0 });
    expect(here.work.task.list()).toMatchObject([{ id: made.id, title: "Call Bea", note: "by phone" }]);
  });
});

describe("todo.txt: what is due at a moment", () => {
  const written = (due: string, zoneThere = zone) => {
    const store = temporaryStore();
    const task = addEntity(store, "task", { title: "Call the bank", due }, Date.parse("2026-11-26T20:00:00Z"));
    return { store, task, line: writeTodoTxt([task], [], zoneThere) };
  };
  const dueIn = (line: string) => readTodoTxt(line, [], zone).map(({ draft }) => [draft.title, draft.due]);

  test.each([
    ["Pacific/Auckland", "due:2026-11-27 at:2026-11-27T09:00:00+13:00"],
    ["America/St_Johns", "due:2026-11-26 at:2026-11-26T16:30:00-03:30"],
    ["UTC", "due:2026-11-26 at:2026-11-26T20:00:00+00:00"],
  ])("is written with its day in %s, and read anywhere", (zoneThere, words) => {
    const { line } = written("2026-11-26T20:00:00Z", zoneThere);
    expect(line).toContain(` ${words} `);
    expect(dueIn(line)).toEqual([["Call the bank", "2026-11-26T20:00:00Z"]]);
  });

  test.each([
    ["another day", "due:2026-12-20", "2026-12-20"],
    ["none", "", null],
  ])("has %s when a program that knows no at: gives it that, and the import takes it", async (_, instead, due) => {
    const { store, task, line } = written("2026-11-26T20:00:00Z");
    const changed = readTodoTxt(line.replace("due:2026-11-27", instead), [], zone);
    expect(await importTasks(store, changed, 2)).toEqual({ added: 0, changed: 1, unchanged: 0 });
    expect(store.work.task.find(task.id)).toMatchObject({ title: "Call the bank", due });
  });

  test("a task was made and done on the days that clocks showed here", () => {
    const { store, task } = written("2026-11-27");
    const done = setTaskStatus(store, task.id, "done", Date.parse("2026-11-27T11:30:00Z"));
    expect(writeTodoTxt([done], [], zone)).toMatch(/^x 2026-11-28 2026-11-27 /);
  });

  test("an at: of another's is a word of theirs", () => {
    expect(dueIn("Call at:2026-11-27T09:00:00Z")).toEqual([["Call at:2026-11-27T09:00:00Z", null]]);
    expect(dueIn("Call due:2026-02-30 at:2026-02-30T09:00:00Z")).toEqual([["Call", "2026-02-30"]]);
  });
});

test("P5: of thousands of tasks each is looked at once, however many a file says", () => {
  let looks = 0;
  const taskOf = (n: number): Task => ({
    ...{
      id: `tsk_${n}` as TaskId,
      note: "",
      status: "open",
      priority: "none",
      due: null,
      projectId: null,
      doneAt: null,
    },
    ...{ sourceSuggestionId: null, createdAt: 1, updatedAt: 1 },
    get title() {
      looks += 1;
      return `Call ${n}`;
    },
  });
  const known = Array.from({ length: 500 }, (_, n) => taskOf(n));
  const said = new SaidAlready<"task">(known, "doneAt");
  for (let n = 0; n < 500; n += 1) expect(said.find({ title: `Call ${n}`, doneAt: 7 })).toBe(known[n]);
  expect(said.find({ title: "Call 1", note: "by phone" })).toBeUndefined();
  const added = { ...taskOf(1), note: "by phone" };
  said.add(added);
  expect(said.find({ title: "Call 1", note: "by phone" })).toBe(added);
  expect(said.find({ title: "Call 1" })).toBe(known[1]);
  expect(looks).toBeLessThan(2 * 500 + 10);
});

test("one task that cannot be kept, however late in the file, and none is taken", async () => {
  const store = temporaryStore();
  const many = Array.from({ length: 300 }, (_, n) => `Call ${n}\n`).join("");
  const tasks = readTodoTxt(`${many}${"x".repeat(501)}\n`, [], zone);
  await expect(importTasks(store, tasks, 1)).rejects.toMatchObject({ code: "value_invalid" });
  expect(store.work.task.list()).toEqual([]);
});

test.each([
  ["title", `${"x".repeat(501)}`, { begins: `${"x".repeat(60)}…`, longest: 500 }],
  ["note", `Ring Ada note:${"x".repeat(100_001)}`, { begins: "Ring Ada", longest: 100_000 }],
  ["due", "Pay the rent due:2026-02-30", { begins: "Pay the rent" }],
])("a file that is refused says by which of its tasks, whose %s cannot be kept", async (field, line, values) => {
  const taken = importTasks(temporaryStore(), readTodoTxt(`Call Ada\n${line}\n`, [], zone), 1);
  const about = `task${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  await expect(taken).rejects.toMatchObject({ code: "value_invalid", data: { field }, exact: { about, values } });
});

test("the command line knows the form by the file's name", async () => {
  const data = temporaryFolder();
  const store = temporaryStore(data);
  const scouts = async (...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal };
    const context = { io, environment: {}, workingFolder: data, ...systemTimeAndIds };
    await runCommand(["task", ...words, "--data", data], context, "1");
    return stdout.written + stderr.written;
  };
  writeFileSync(path.join(data, "plan.md"), "- [ ] Call Ada\n- [x] Mow\n");
  expect(await scouts("import", "plan.md")).toBe("2 added, 0 changed, 0 known already\n");
  expect(await scouts("import", "plan.md")).toBe("0 added, 0 changed, 2 known already\n");
  expect(await scouts("export")).toMatch(
    /^\d{4}-\d\d-\d\d Call Ada id:tsk_\w+\nx \d{4}-\d\d-\d\d \d{4}-\d\d-\d\d Mow id:tsk_\w+\n$/,
  );
  // "é" of a file in Latin-1 (0xe9) is no UTF-8, and would be kept as a mark of loss.
  writeFileSync(path.join(data, "latin.md"), Buffer.from("- [ ] Caf\xe9\n", "latin1"));
  expect(await scouts("import", "latin.md")).toMatch(
    /latin\.md is not text in UTF-8; .* Nothing was taken\. \(import_invalid\)\n$/,
  );
  expect(store.work.task.list()).toHaveLength(2);
  expect(await scouts("export", "--to", "all.md")).toMatch(/^written {2}2 tasks {2}.*all\.md\n$/);
  expect(await scouts("import", "all.md")).toBe("0 added, 0 changed, 2 known already\n");
  expect(store.work.task.list()).toHaveLength(2);
});

test("of a file that is no text nothing is taken", async () => {
  const store = temporaryStore();
  const taken = takeTasks(store, "todo.txt", "\0\u0001\ufffdPNG\n\ufffd\0\n", { nowMs: 1, zone });
  await expect(taken).rejects.toMatchObject({ code: "import_invalid", exact: { about: "noText", values: {} } });
  expect(store.work.task.list()).toEqual([]);
});
