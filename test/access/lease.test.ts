import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { accessPath, openProjectDatabase } from "../../device/access/open-access.ts";
import { sqliteLease } from "../../device/access/store/lease.ts";
import { temporaryFolder } from "./setting.ts";

function twoConnections() {
  const data = temporaryFolder();
  openProjectDatabase(data, "/project").close();
  const connections = [1, 2].map(() => new DatabaseSync(accessPath(data, "/project")));
  onTestFinished(() => {
    for (const connection of connections) connection.close();
  });
  const [first, second] = connections;
  if (first === undefined || second === undefined) throw new TypeError("two were opened");
  return { first, second };
}

test("one process at a time changes a project; the next one goes when it is done", async () => {
  const { first, second } = twoConnections();
  const order: string[] = [];
  const held = Promise.withResolvers<void>();
  const one = sqliteLease(first).run(async () => {
    order.push("one begins");
    await held.promise;
    order.push("one ends");
  });
  const two = sqliteLease(second).run(async () => void order.push("two"));
  held.resolve();
  await Promise.all([one, two]);
  expect(order).toEqual(["one begins", "one ends", "two"]);
});

test("who waits too long is told that the project is busy", async () => {
  const { first, second } = twoConnections();
  const held = Promise.withResolvers<void>();
  const one = sqliteLease(first).run(() => held.promise);
  await expect(sqliteLease(second, { maxWaitMs: 0 }).run(async () => undefined)).rejects.toMatchObject({
    code: "busy",
  });
  held.resolve();
  await one;
});

test.each([
  ["of a process that died", { isAlive: () => false }],
  ["of one that has overstayed", { now: () => Date.now() + 3_600_000 }],
])("the lease %s is taken over", async (_, options) => {
  const { first, second } = twoConnections();
  const held = Promise.withResolvers<void>();
  const one = sqliteLease(first).run(() => held.promise);
  expect(await sqliteLease(second, { ...options, maxWaitMs: 0 }).run(async () => "taken")).toBe("taken");
  held.resolve();
  await one;
});

test("a lease is free again after a failure", async () => {
  const { first, second } = twoConnections();
  await expect(sqliteLease(first).run(() => Promise.reject(new Error("x")))).rejects.toThrow("x");
  expect(await sqliteLease(second, { maxWaitMs: 0 }).run(async () => 1)).toBe(1);
});
