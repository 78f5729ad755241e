import { readFileSync, writeFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openIndexToRead } from "../../../device/knowledge/index/index-file.ts";
import { IndexSearch } from "../../../device/knowledge/search/index-search.ts";
import { parseQuery } from "../../../device/knowledge/search/parse-query.ts";
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
