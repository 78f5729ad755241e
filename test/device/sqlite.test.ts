import { DatabaseSync } from "node:sqlite";
import { eq } from "drizzle-orm";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { expect, onTestFinished, test } from "vitest";
import { drizzleOn } from "../../device/store/sqlite/sqlite.ts";

const leaves = sqliteTable("leaves", { id: integer().primaryKey(), tree: integer() });

/** A leaf without its tree is written and cannot be committed, as on a disk that becomes full in between. */
function leavesOnly() {
  const connection = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  onTestFinished(() => connection.close());
  connection.exec(
    "CREATE TABLE trees (id INTEGER PRIMARY KEY); INSERT INTO trees VALUES (1); CREATE TABLE leaves (id INTEGER PRIMARY KEY, " +
      "tree INTEGER REFERENCES trees DEFERRABLE INITIALLY DEFERRED)",
  );
  return drizzleOn(connection);
}

test("the row of an insert is not given when it cannot be committed", () => {
  const db = leavesOnly();
  expect(() => db.insert(leaves).values({ tree: 9 }).returning().get()).toThrow("FOREIGN KEY");
  expect(db.select().from(leaves).all()).toEqual([]);
});

test("nor is that of a change; what is committed is given", () => {
  const db = leavesOnly();
  expect(db.insert(leaves).values({ id: 5, tree: 1 }).returning().get()).toEqual({ id: 5, tree: 1 });
  expect(() => db.update(leaves).set({ tree: 9 }).where(eq(leaves.id, 5)).returning().get()).toThrow("FOREIGN KEY");
  expect(db.select().from(leaves).get()).toEqual({ id: 5, tree: 1 });
  expect(db.delete(leaves).where(eq(leaves.id, 5)).returning().get()).toEqual({ id: 5, tree: 1 });
  expect(db.delete(leaves).where(eq(leaves.id, 5)).returning().get()).toBeUndefined();
});
