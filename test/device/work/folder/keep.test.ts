import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addEntity } from "../../../../device/work/change-entities.ts";
import { keepWorkFolder } from "../../../../device/work/folder/keep-folder.ts";
import { chooseWorkFolder } from "../../../../device/work/folder/work-folder.ts";
import { ManualClock } from "../../manual-clock.ts";
import { temporaryFolder, temporaryStore } from "../../setting.ts";

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
