import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { takeFileLock } from "../../../../device/store/held-locks.ts";
import type { DeviceStore } from "../../../../device/store/open.ts";
import { addEntity, editEntity } from "../../../../device/work/change-entities.ts";
import { keepWorkFolder } from "../../../../device/work/folder/keep-folder.ts";
import { chooseWorkFolder } from "../../../../device/work/folder/work-folder.ts";
import { ManualClock } from "../../manual-clock.ts";
import { temporaryFolder, temporaryStore } from "../../setting.ts";

const paint = "notes/Paint.md";

function kept(store: DeviceStore, hooked = store) {
  const root = temporaryFolder();
  const clock = new ManualClock();
  const said: string[] = [];
  const onProblem = (sentence: string) => void said.push(sentence);
  const keeper = keepWorkFolder({ store: hooked, clock, onProblem, lockWaitMs: 0 });
  const looked = async () => {
    clock.advance(3_000);
    await keeper.whenIdle();
  };
  chooseWorkFolder(store, root);
  onTestFinished(() => keeper.close());
  return { root, said, keeper, looked, write: (text: string) => writeFileSync(join(root, paint), text) };
}

test("P2: what is saved during a look, after its file was read, is taken by a later one", async () => {
  const store = temporaryStore();
  addEntity(store, "note", { title: "Paint", markdown: "red" }, 1);
  let duringLook = () => {};
  // Read when the notes have been.
  const list = () => {
    duringLook();
    return store.work.event.list();
  };
  const hooked = { ...store, work: { ...store.work, event: { ...store.work.event, list } } };
  const { keeper, looked, write } = kept(store, hooked);
  keeper.start();
  await keeper.whenIdle();
  await looked();
  write("# Paint\n\nblue\n");
  duringLook = () => {
    write("# Paint\n\nblue and green\n");
    duringLook = () => {};
  };
  await looked();
  expect(store.work.note.list()).toMatchObject([{ markdown: "blue" }]);
  await looked();
  expect(store.work.note.list()).toMatchObject([{ markdown: "blue and green" }]);
});

test("a folder that another process is at is looked at again, and what that one has begun to write stays", async () => {
  const store = temporaryStore();
  addEntity(store, "note", { title: "Paint", markdown: "red" }, 1);
  const { root, said, keeper, looked } = kept(store);
  const release = takeFileLock(join(store.dataFolder, "work-folder.lock"));
  mkdirSync(join(root, "notes"));
  writeFileSync(join(root, "notes/.x.scouts-tmp"), "half");
  keeper.start();
  await keeper.whenIdle();
  await looked();
  expect(readdirSync(join(root, "notes"))).toEqual([".x.scouts-tmp"]);
  expect(said).toEqual([expect.stringContaining("Another program is bringing your folder up to date")]);
  release?.();
  await looked();
  expect(readFileSync(join(root, paint), "utf8")).toBe("# Paint\n\nred\n");
});

test("13: a home that stays follows both sides, says a conflict once, and goes on when the folder is back", async () => {
  const store = temporaryStore();
  const root = temporaryFolder();
  const clock = new ManualClock();
  const said: string[] = [];
  const keeper = keepWorkFolder({ store, clock, onProblem: (sentence) => void said.push(sentence) });
  const looked = async () => {
    clock.advance(3_000);
    await keeper.whenIdle();
  };
  keeper.start();
  await keeper.whenIdle();
  chooseWorkFolder(store, root);
  addEntity(store, "note", { title: "Paint", markdown: "Red" }, 1);
  await looked();
  expect(readFileSync(join(root, "notes/Paint.md"), "utf8")).toBe("# Paint\n\nRed\n");
  writeFileSync(join(root, "notes/Paint.md"), "# Paint\n\nBlue, two coats\n");
  await looked();
  expect(store.work.note.list()).toMatchObject([{ markdown: "Blue, two coats" }]);
  rmSync(root, { recursive: true });
  writeFileSync(root, "in the way");
  await looked();
  await looked();
  expect(said).toEqual([expect.stringContaining("cannot be read or written")]);
  rmSync(root);
  mkdirSync(root);
  await looked();
  expect(readFileSync(join(root, "notes/Paint.md"), "utf8")).toContain("Blue");
  await keeper.close();
});

test("nothing silent: what is put among the notes and is none is said by a home that stays, once", async () => {
  const { root, said, keeper, looked } = kept(temporaryStore());
  mkdirSync(join(root, "notes"));
  keeper.start();
  await keeper.whenIdle();
  await looked();
  expect(said).toEqual([]);
  writeFileSync(join(root, "notes/todo.txt"), "milk");
  await looked();
  await looked();
  expect(said).toEqual([expect.stringContaining("1 file that does not end in .md (todo.txt)")]);
});

test("nothing silent: what was put right and goes wrong again is said again", async () => {
  const store = temporaryStore();
  const note = addEntity(store, "note", { title: "Paint", markdown: "red" }, 1);
  const { root, said, keeper, looked, write } = kept(store);
  keeper.start();
  await keeper.whenIdle();
  await looked();
  const both = async (colour: string) => {
    write(`# Paint\n\nmy ${colour}\n`);
    editEntity(store, "note", note.id, { markdown: `its ${colour}` }, 2);
    await looked();
    await looked();
  };
  const conflict = expect.stringContaining("has changed both in the folder and on this device");
  await both("blue");
  expect(said).toEqual([conflict]);
  rmSync(join(root, "notes/Paint (of this device).md"));
  await looked();
  await looked();
  await both("green");
  expect(said).toEqual([conflict, conflict]);
  for (const _ of ["once", "again"]) {
    rmSync(root, { recursive: true });
    await looked();
    mkdirSync(root);
    await looked();
  }
  const away = expect.stringContaining("is not there");
  expect(said).toEqual([conflict, conflict, away, away]);
});
