import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { openIndexToRead } from "../../../device/knowledge/index/index-file.ts";
import { keepIndexesCurrent } from "../../../device/knowledge/keep-current.ts";
import { IndexSearch } from "../../../device/knowledge/search/index/index-search.ts";
import { parseQuery } from "../../../device/knowledge/search/parse-query.ts";
import { ManualClock } from "../manual-clock.ts";
import { filler, indexedFolder } from "./setting.ts";

/** Makes the first page of a table unreadable, and nothing else. */
function damageTable(path: string, connection: DatabaseSync, table: string): void {
  const root = connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table)?.["rootpage"];
  const size = Number(connection.prepare("PRAGMA page_size").get()?.["page_size"]);
  const bytes = readFileSync(path);
  bytes.fill(0xa5, (Number(root) - 1) * size, Number(root) * size);
  writeFileSync(path, bytes);
}

test("15: damage that is met only where a file's first passage is read is said by its code", async () => {
  const folder = indexedFolder({ "a.md": filler(300) });
  await folder.index();
  const writing = openIndexToRead(folder.indexFile);
  if (writing === undefined) expect.fail("There is an index.");
  damageTable(folder.indexFile, writing, "passages");
  writing.close();
  const connection = openIndexToRead(folder.indexFile);
  if (connection === undefined) expect.fail("It opens: only one of its tables is damaged.");
  const index = new IndexSearch(connection);
  const [found] = index.latest(parseQuery(""), 1);
  const document = found?.document ?? expect.fail("The file is known.");
  expect(() => index.rows.firstPassage(document)).toThrow(expect.objectContaining({ code: "store_unreadable" }));
  index.close();
  expect(await folder.find("lantern")).toMatchObject({ hits: [], notes: [expect.stringContaining("damaged")] });
});

test.each(["passages", "documents_hash", "words_data"])(
  "15: an index whose %s are damaged is said to be so, and the next scan makes it anew",
  async (table) => {
    const folder = indexedFolder({ "a.md": `zebra ${filler(3_000)}`, "b.md": filler(3_000, 5) });
    await folder.index();
    const connection = openIndexToRead(folder.indexFile) ?? expect.fail("There is an index.");
    damageTable(folder.indexFile, connection, table);
    connection.close();
    if (table !== "documents_hash") expect((await folder.find("zebra")).notes.join(" ")).toContain("damaged");
    // Damage that no search meets is met by whoever writes.
    else folder.write("c.md", "a zeppelin");
    expect(await folder.index()).toMatchObject({ wasRebuilt: true });
    expect(await folder.paths("zebra")).toEqual(["a.md"]);
    expect((await folder.find("zebra")).notes).toEqual([]);
  },
);

test("15: words that are withheld leave a damaged index too: the whole of it goes, which is said once", async () => {
  const folder = indexedFolder({ "secret/a.md": `quagmirezebra ${filler(3_000)}`, "b.md": filler(3_000, 5) });
  await folder.index();
  const connection = openIndexToRead(folder.indexFile) ?? expect.fail("There is an index.");
  damageTable(folder.indexFile, connection, "documents");
  connection.close();
  folder.write(".scoutsignore", "secret/\n");
  const problems: string[] = [];
  const clock = new ManualClock(1_793_000_000_000);
  const onProblem = ({ message }: Error) => problems.push(message);
  const keeper = keepIndexesCurrent({ store: folder.store, clock, onProblem });
  onTestFinished(() => keeper.close());
  keeper.start();
  await keeper.whenIdle();
  clock.advance(20_000);
  await keeper.whenIdle();
  expect(problems).toEqual([expect.stringContaining("made anew by the next scan")]);
  expect(folder.bytes().includes("quagmirezebra")).toBe(false);
  await folder.index();
  expect(await folder.paths("lantern")).toEqual(["b.md"]);
});

test("15: an index that cannot be opened just now is none that is damaged: it stays, and is used when it can be", async () => {
  const folder = indexedFolder({ "a.md": `zebra ${filler(300)}` });
  await folder.index();
  // As with too many open files, SQLite cannot open what lies beside it.
  mkdirSync(`${folder.indexFile}-wal`);
  const problems: string[] = [];
  const onProblem = ({ message }: Error) => problems.push(message);
  const keeper = keepIndexesCurrent({ store: folder.store, clock: new ManualClock(), onProblem });
  onTestFinished(() => keeper.close());
  keeper.start();
  await keeper.whenIdle();
  expect(problems).toEqual([expect.stringContaining("cannot be opened just now")]);
  rmdirSync(`${folder.indexFile}-wal`);
  expect(await folder.paths("zebra")).toEqual(["a.md"]);
});

test("15: files that change while they are indexed end up as they are at last, and are never quoted wrongly", async () => {
  const names = Array.from({ length: 30 }, (_, at) => `${at}.md`);
  const textOf = (name: string, round: number) => `${filler(80, round)} round${round}of${name.replace(".md", "")}`;
  const folder = indexedFolder(Object.fromEntries(names.map((name) => [name, textOf(name, 0)])));
  let isOver = false;
  let round = 0;
  const indexing = folder.index().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    round++;
    for (const name of names) {
      folder.write(name, textOf(name, round));
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
  await indexing;
  expect(round).toBeGreaterThan(0);
  for (const hit of (await folder.find(`round${round}of7`)).hits.flatMap(({ passages }) => passages)) {
    expect(hit.text).toContain(`round${round}of`);
  }
  await folder.index();
  for (const name of names) {
    const at = name.replace(".md", "");
    expect(await folder.paths(`round${round}of${at}`)).toEqual([name]);
    expect(await folder.paths(`round0of${at}`)).toEqual([]);
  }
});

test("15: several scripts in one line, and in one word, are found each by its own words", async () => {
  const folder = indexedFolder({ "mixed.md": "Rechnung請求書счёт فاتورة 영수증2026年τιμολόγιο ใบแจ้งหนี้ invoice№7" });
  await folder.index();
  for (const word of ["請求", "счет", "فاتورة", "영수", "τιμολογιο", "ใบแจ้งหนี้", "invoice", "Rechnung 請求書"]) {
    expect(await folder.paths(word), word).toEqual(["mixed.md"]);
  }
});
