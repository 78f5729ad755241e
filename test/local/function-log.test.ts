import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { FunctionLog } from "../../infra/local/host/log.ts";
import { temporaryFolder } from "../device/setting.ts";
import { told } from "../standins/stderr-told.ts";

test("a log that has grown large begins anew at the next start, and keeps the one before for its owner only", async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "Http.log"), "old\n".repeat(30));
  const log = new FunctionLog(folder, "Http", undefined, 100);
  log.record("start", { n: 1 });
  await log.close();
  expect(readdirSync(folder).toSorted()).toEqual(["Http.log", "Http.log.1"]);
  expect(readFileSync(path.join(folder, "Http.log"), "utf8")).toMatch(/^\{.*"platform.start","n":1\}\n$/);
  expect(statSync(path.join(folder, "Http.log")).mode & 0o777).toBe(0o600);
});

test("so does one that grows while it is written to, and no line is lost between the two", async () => {
  const folder = temporaryFolder();
  const log = new FunctionLog(folder, "Http", undefined, 1_000);
  const file = path.join(folder, "Http.log");
  log.record("line", { n: 0 });
  const isWritten = () => existsSync(file) && statSync(file).size > 0;
  await vi.waitUntil(isWritten, { timeout: 60_000, interval: 5 });
  for (let n = 1; n < 30; n += 1) log.record("line", { n });
  await log.close();

  const [before = [], since = []] = [`${file}.1`, file].map((name) => readFileSync(name, "utf8").trimEnd().split("\n"));
  const numbers = [...before, ...since].map((line) => JSON.parse(line).n);
  expect(numbers).toEqual(Array.from({ length: 30 }, (_, n) => n));
  expect(before.length).toBeGreaterThan(10);
  expect(since.length).toBeGreaterThan(10);
});

// Linux has a file on which the disk is full.
test.skipIf(!existsSync("/dev/full"))(
  "a log whose disk is full ends no home, is told of once, and goes on when there is room",
  async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "Http.log");
    symlinkSync("/dev/full", file);
    const heard: string[] = [];
    const log = new FunctionLog(folder, "Http", (_, text) => void heard.push(text));
    const stderr = told();
    const first = stderr.next();
    log.record("line", { n: 0 });
    await first;
    expect(stderr.lines.join("")).toMatch(/Http\.log cannot be written.*ENOSPC/s);
    rmSync(file);
    log.record("line", { n: 1 });
    await log.close();
    log.record("late", { n: 2 });
    expect(readFileSync(file, "utf8")).toMatch(/^\{.*"platform.line","n":1\}\n$/);
    expect([heard.length, stderr.lines.length]).toEqual([2, 1]);
  },
);
