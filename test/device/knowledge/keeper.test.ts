import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { checkPassphrase } from "../../../device/doctor/passphrase-check.ts";
import { workIndexPath } from "../../../device/knowledge/index/index-file.ts";
import { keepIndexesCurrent } from "../../../device/knowledge/keep-current.ts";
import { forgetKept } from "../../../device/vault/change-passphrase.ts";
import { addEntity, removeEntity } from "../../../device/work/change-entities.ts";
import { circumstances, quick } from "../../rounds.ts";
import { ManualClock } from "../manual-clock.ts";
import { filler, type IndexedFolder, indexedFolder } from "./setting.ts";

const canary = "quagmirezebra";
const tree = () => ({
  "secret/deep/a.md": `${filler(200)} ${canary} ${filler(200, 2)}`,
  "b.md": `plainly ${filler(200, 4)}`,
});

function keeperOf({ store }: IndexedFolder) {
  const clock = new ManualClock(1_793_000_000_000);
  const problems: Error[] = [];
  const keeper = keepIndexesCurrent({ store, clock, onProblem: (error) => problems.push(error) });
  onTestFinished(() => keeper.close());
  const minute = async () => {
    for (const _ of [1, 2, 3]) {
      clock.advance(20_000);
      await keeper.whenIdle();
    }
  };
  return { keeper, minute, problems };
}

test.each(
  circumstances([
    [".scouts.json", JSON.stringify({ read: { deny: ["secret/"] } })],
    [".gitignore", "secret/\n"],
    ["secret/deep/.scoutsignore", "*.md\n"],
  ] as const),
)(
  "15: what %s withholds is gone from the bytes within a minute, without a scan; shown again, a scan finds it",
  async (name, rule) => {
    const folder = indexedFolder(tree());
    await folder.index();
    const { keeper, minute, problems } = keeperOf(folder);
    keeper.start();
    await keeper.whenIdle();
    expect(folder.bytes().includes(canary)).toBe(true);

    folder.write(name, rule);
    await minute();
    expect(folder.bytes().includes(canary)).toBe(false);
    expect(await folder.paths("plainly")).toEqual(["b.md"]);
    expect(problems).toEqual([]);

    rmSync(join(folder.root, name));
    await folder.index();
    expect(await folder.paths(canary)).toEqual(["secret/deep/a.md"]);
  },
);

test("15: rules that were changed while nothing ran hold from the first look; rules nobody understands throw nothing away", async () => {
  const folder = indexedFolder(tree());
  await folder.index();
  folder.write(".scouts.json", "{ no rules");
  const { keeper, minute } = keeperOf(folder);
  keeper.start();
  await keeper.whenIdle();
  expect(folder.bytes().includes(canary)).toBe(true);
  expect(await folder.paths(canary)).toEqual([]);
  folder.write(".scouts.json", JSON.stringify({ read: { ask: ["secret/"] } }));
  await minute();
  expect(folder.bytes().includes(canary)).toBe(false);
});

test.skipIf(quick)("15: a log that a reader held when the last file was withheld is cut by a later look", async () => {
  const folder = indexedFolder(tree());
  await folder.index();
  const { keeper, minute } = keeperOf(folder);
  const reader = new DatabaseSync(folder.indexFile, { readOnly: true });
  onTestFinished(() => reader.close());
  reader.exec("BEGIN; SELECT count(*) FROM documents");
  reader.prepare("SELECT count(*) FROM documents").get();
  folder.write(".scoutsignore", "*\n");
  keeper.start();
  await keeper.whenIdle();
  expect(await folder.paths("plainly")).toEqual([]);
  expect(folder.bytes().includes(canary)).toBe(true);

  reader.exec("COMMIT");
  await minute();
  expect(folder.bytes().includes(canary)).toBe(false);
});

test.skipIf(quick)(
  "15: a log that a reader held during a scan is cut by the next scan, though nothing has changed",
  async () => {
    const folder = indexedFolder(tree());
    await folder.index();
    const reader = new DatabaseSync(folder.indexFile, { readOnly: true });
    onTestFinished(() => reader.close());
    reader.exec("BEGIN; SELECT count(*) FROM documents");
    rmSync(join(folder.root, "secret"), { recursive: true });
    expect(await folder.index()).toMatchObject({ removed: 1 });
    expect(folder.bytes().includes(canary)).toBe(true);

    reader.exec("COMMIT");
    await folder.index();
    expect(folder.bytes().includes(canary)).toBe(false);
  },
);

test("15: what a person removes is gone from the bytes of the index of work within a minute, without a search", async () => {
  const folder = indexedFolder({ "a.md": "text" });
  const { store } = folder;
  const note = addEntity(store, "note", { title: canary }, 1);
  const { keeper, minute } = keeperOf(folder);
  keeper.start();
  await keeper.whenIdle();
  const bytes = () => readFileSync(workIndexPath(store.dataFolder));
  expect(bytes().includes(canary)).toBe(true);
  removeEntity(store, "note", note.id);
  await minute();
  expect(bytes().includes(canary)).toBe(false);
});

test("15: a damaged key of what agents left is said once, and keeps nothing else from being looked at or found", async () => {
  const folder = indexedFolder(tree());
  await folder.index();
  writeFileSync(join(folder.store.dataFolder, "device", "passphrase.json"), '{"broken');
  const { keeper, minute, problems } = keeperOf(folder);
  keeper.start();
  await keeper.whenIdle();
  folder.write(".scoutsignore", "secret/\n");
  await minute();
  expect(folder.bytes().includes(canary)).toBe(false);
  expect(problems).toMatchObject([{ code: "passphrase_unreadable" }]);
  const { hits, notes } = await folder.find("plainly");
  expect(hits.map(({ path }) => path)).toEqual(["b.md"]);
  expect(notes.join()).toContain("scouts passphrase forget");
  expect(checkPassphrase(folder.store.dataFolder)).toMatchObject([{ state: "fail", code: "passphrase_damaged" }]);

  await forgetKept(folder.store);
  expect((await folder.find("plainly")).notes).toEqual([]);
  expect(checkPassphrase(folder.store.dataFolder)).toEqual([]);
});

test("nothing silent: what an older version has put into the index of work is put in anew", async () => {
  const folder = indexedFolder({ "a.md": "text" });
  const { store } = folder;
  const { id } = addEntity(store, "note", { title: "\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f" }, 1);
  const { keeper } = keeperOf(folder);
  keeper.start();
  await keeper.whenIdle();
  const file = workIndexPath(store.dataFolder);
  // As versions left it that broke such words in pieces.
  const older = new DatabaseSync(file);
  older.exec("DELETE FROM words; PRAGMA user_version = 4");
  older.close();
  const { work } = await folder.find("\u0645\u062d\u0645\u062f");
  expect(work).toMatchObject([{ id }]);
});
