import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { openDeviceStore, storePath } from "../../device/store/open.ts";
import { requireSound } from "../../device/store/require-sound.ts";
import { keepSums, summedOnce, tableOfOtherRows } from "../../device/store/sqlite/table-sums.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { addEntity } from "../../device/work/change-entities.ts";
import { quick } from "../rounds.ts";
import { temporaryFolder } from "./setting.ts";

/** A store with rows in several tables, closed, so that all of it is in one file. */
function usedStore(): string {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder, now: () => 1_000 });
  const { id } = store.projects.add("garden");
  for (let at = 0; at < 40; at++) {
    store.cursors.set(`cursor ${at}`, `what was reached, number ${at}`);
    addEntity(store, "task", { title: `Answer letter ${at}`, projectId: id }, 1_000);
  }
  store.close();
  return dataFolder;
}

/** All rows of all tables, as they are read. */
function rowsOf(file: string): string {
  const connection = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    return JSON.stringify(tables.map(({ name }) => connection.prepare(`SELECT * FROM "${String(name)}"`).all()));
  } finally {
    connection.close();
  }
}

function refusalOf(dataFolder: string): string | undefined {
  try {
    const store = openDeviceStore({ ...systemTimeAndIds, dataFolder, now: () => 1_000 });
    try {
      requireSound(store);
    } finally {
      store.close();
    }
    return undefined;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

describe("D8: a byte of the device's database that is another", () => {
  test("is refused by name, wherever it is, or changes nothing that is read", () => {
    const whole = usedStore();
    const bytes = readFileSync(storePath(whole));
    const before = rowsOf(storePath(whole));
    const folder = temporaryFolder();
    mkdirSync(path.dirname(storePath(folder)), { recursive: true });
    const silent: number[] = [];
    let refused = 0;
    // A prime: every offset within a page has its turn.
    const step = quick ? 3_067 : 613;
    for (let at = 0; at < bytes.length; at += step) {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 0x10;
      writeFileSync(storePath(folder), copy);
      const refusal = refusalOf(folder);
      if (refusal === undefined) {
        if (rowsOf(storePath(folder)) !== before) silent.push(at);
      } else {
        refused++;
        expect(refusal).toMatch(/device\.sqlite is damaged.*(Restore it|move it away)|made by a newer/s);
      }
    }
    expect(silent).toEqual([]);
    expect(refused).toBeGreaterThan(quick ? 4 : 20);
  });

  test("within a text is told with the table it is in, also after a kill", () => {
    const dataFolder = usedStore();
    const store = openDeviceStore({ ...systemTimeAndIds, dataFolder, now: () => 1_000 });
    store.cursors.set("last", "before the kill");
    // What a killed process leaves: the file and its journal.
    const killed = temporaryFolder();
    mkdirSync(path.dirname(storePath(killed)), { recursive: true });
    for (const end of ["", "-wal"]) copyFileSync(storePath(dataFolder) + end, storePath(killed) + end);
    store.close();
    openDeviceStore({ ...systemTimeAndIds, dataFolder: killed }).close();
    expect(refusalOf(killed)).toBeUndefined();
    const bytes = readFileSync(storePath(killed));
    const at = bytes.indexOf("what was reached, number 17");
    bytes.write("what was Reached, number 17", at);
    writeFileSync(storePath(killed), bytes);
    expect(refusalOf(killed)).toContain("the rows of cursors are not those that were written");
  });
});

describe("the sum of a table", () => {
  function database() {
    const connection = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
    connection.exec(`CREATE TABLE table_sums (name TEXT PRIMARY KEY, version INTEGER, sum INTEGER) STRICT;
      CREATE TABLE parent (id INTEGER PRIMARY KEY, "a ""name" TEXT, number, bytes BLOB);
      CREATE TABLE child (parent REFERENCES parent (id) ON DELETE CASCADE, note TEXT)`);
    keepSums(connection);
    return connection;
  }

  test.each([
    "INSERT INTO parent VALUES (3, 'c', 9223372036854775807, x'00ff'), (4, NULL, 0.5, NULL)",
    "REPLACE INTO parent VALUES (1, 'other', 1, NULL)",
    "INSERT INTO parent VALUES (1, 'x', 1, NULL) ON CONFLICT (id) DO UPDATE SET number = number + 1",
    "UPDATE child SET parent = 2, note = NULL",
    "DELETE FROM parent WHERE id = 1",
    "DELETE FROM child",
    "BEGIN; DELETE FROM parent; ROLLBACK",
  ])("follows %s", (statement) => {
    const connection = database();
    connection.exec(
      "INSERT INTO parent VALUES (1, 'a', 1, NULL), (2, 'b', 1.5, x'01'); INSERT INTO child VALUES (1, 'n'), (2, 'm')",
    );
    connection.exec(statement);
    expect(tableOfOtherRows(connection)).toBeUndefined();
    connection.close();
  });

  const rows = "INSERT INTO parent VALUES (5, 'e', 1, x'02'), (NULL, 'f', 2.5, NULL)";

  test("follows rows that are summed once, and every change after them", () => {
    const connection = database();
    connection.exec("INSERT INTO parent VALUES (4, 'd', 1, NULL)");
    connection.exec("BEGIN");
    summedOnce(connection, "parent", () => connection.exec(rows));
    summedOnce(connection, "parent", () => undefined);
    connection.exec("INSERT INTO parent VALUES (7, 'g', 1, NULL); DELETE FROM parent WHERE id IN (4, 5); COMMIT");
    expect(connection.prepare("SELECT count(*) AS n FROM parent").get()).toEqual({ n: 2 });
    expect(tableOfOtherRows(connection)).toBeUndefined();
    connection.close();
  });

  test("follows rows that are summed once where something goes wrong, kept or rolled back", () => {
    const connection = database();
    const failing = () => {
      connection.exec(rows);
      throw new Error("broken off");
    };
    for (const end of ["ROLLBACK", "COMMIT"]) {
      connection.exec("BEGIN");
      expect(() => summedOnce(connection, "parent", failing)).toThrow("broken off");
      connection.exec(end);
      expect(tableOfOtherRows(connection)).toBeUndefined();
    }
    connection.exec("DELETE FROM parent");
    expect(tableOfOtherRows(connection)).toBeUndefined();
    expect(() => summedOnce(connection, "parent", () => undefined)).toThrow(TypeError);
    connection.close();
  });

  test.each([
    "UPDATE parent SET number = '1' WHERE id = 1",
    "UPDATE parent SET number = 1.0 WHERE id = 1",
    'UPDATE parent SET "a ""name" = NULL WHERE id = 1',
    "UPDATE parent SET bytes = x'' WHERE id = 1",
    "DELETE FROM parent WHERE id = 2",
    "UPDATE parent SET id = 3 WHERE id = 2",
  ])("tells of %s behind its back", (statement) => {
    const connection = database();
    connection.exec("INSERT INTO parent VALUES (1, 'a', 1, NULL), (2, 'b', 1.5, x'01')");
    for (const event of ["INSERT", "UPDATE", "DELETE"]) connection.exec(`DROP TRIGGER "sum ${event} parent"`);
    connection.exec(statement);
    expect(tableOfOtherRows(connection)).toBe("parent");
    connection.close();
  });
});
