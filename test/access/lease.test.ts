import { fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { fileLease } from "../../device/access/store/lease.ts";
import { temporaryFolder } from "./setting.ts";

const holderFile = fileURLToPath(new URL("./lease-holder.ts", import.meta.url));
const leasePath = () => join(temporaryFolder(), "project.lease");

test("one process at a time changes a project; the next one goes when it is done", async () => {
  const path = leasePath();
  const order: string[] = [];
  const held = Promise.withResolvers<void>();
  const one = fileLease(path).run(async () => {
    order.push("one begins");
    await held.promise;
    order.push("one ends");
  });
  const two = fileLease(path).run(async () => void order.push("two"));
  held.resolve();
  await Promise.all([one, two]);
  expect(order).toEqual(["one begins", "one ends", "two"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("who waits too long is told that the project is busy", async () => {
  const path = leasePath();
  const held = Promise.withResolvers<void>();
  const one = fileLease(path).run(() => held.promise);
  const other = fileLease(path, { maxWaitMs: 0 }).run(async () => undefined);
  await expect(other).rejects.toMatchObject({ code: "busy" });
  held.resolve();
  await one;
});

test("another process keeps it while it lives, stopped or not, whatever the clock says; it is free when that is killed", async () => {
  const path = leasePath();
  const child = fork(holderFile, [path], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  const busy = () => fileLease(path, { maxWaitMs: 0 }).run(async () => "taken");
  await expect(busy()).rejects.toMatchObject({ code: "busy" });
  child.kill("SIGSTOP");
  await expect(busy()).rejects.toMatchObject({ code: "busy" });
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  // Whoever has that process's number now does not matter: in a container it is the next start itself.
  expect(await busy()).toBe("taken");
});

test("a lease is free again after a failure", async () => {
  const path = leasePath();
  await expect(fileLease(path).run(() => Promise.reject(new Error("x")))).rejects.toThrow("x");
  expect(await fileLease(path, { maxWaitMs: 0 }).run(async () => 1)).toBe(1);
});
