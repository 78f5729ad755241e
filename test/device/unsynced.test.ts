import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inTransaction, unsynced } from "../../device/store/sqlite/transaction.ts";

/** What `PRAGMA synchronous` answers (https://sqlite.org/pragma.html#pragma_synchronous). */
const normal = 1;
const full = 2;

let folder: string;
let connection: DatabaseSync;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "scouts-unsynced-"));
  connection = new DatabaseSync(path.join(folder, "store.sqlite"));
  connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE kept (what TEXT)");
});

afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

const synchronous = () => connection.prepare("PRAGMA synchronous").get()?.["synchronous"];
const put = (what: string) => connection.prepare("INSERT INTO kept VALUES (?)").run(what);
/** As another process finds it once this one was killed: what is in the files. */
const found = () => {
  const other = new DatabaseSync(path.join(folder, "store.sqlite"));
  try {
    return other
      .prepare("SELECT what FROM kept ORDER BY rowid")
      .all()
      .map(({ what }) => what);
  } finally {
    other.close();
  }
};

test("what is committed unsynced is there for every other process at once, and only that does not wait for the disk", () => {
  const during = unsynced(connection, () =>
    inTransaction(connection, "immediate", () => {
      put("made anew");
      return synchronous();
    }),
  );
  expect([during, synchronous()]).toEqual([normal, full]);
  expect(found()).toEqual(["made anew"]);
});

test("inside another transaction everything is synced with that one", () => {
  const during = inTransaction(connection, "immediate", () => unsynced(connection, () => synchronous()));
  expect([during, synchronous()]).toEqual([full, full]);
});

test("work that throws leaves nothing behind, and the next commit waits for the disk", () => {
  const failing = () =>
    unsynced(connection, () =>
      inTransaction(connection, "immediate", () => {
        put("half");
        throw new RangeError("no");
      }),
    );
  expect(failing).toThrow(RangeError);
  expect([synchronous(), found()]).toEqual([full, []]);
});
