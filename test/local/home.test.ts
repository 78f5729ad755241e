import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startHome } from "../../infra/local/home.ts";
import type { Outcome } from "../../infra/local/host/execution.ts";
import type { FunctionPool } from "../../infra/local/host/function-pool.ts";
import { nextRun, Timers } from "../../infra/local/timers.ts";
import { manualClock } from "./manual-clock.ts";
import { startFixture } from "./start-fixture.ts";

describe("starting and stopping", () => {
  it("fails with EADDRINUSE and the number when the port is taken, leaving nothing open", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    await expect(startFixture({ port })).rejects.toMatchObject({
      name: "LocalHomeError",
      code: "EADDRINUSE",
      message: expect.stringMatching(`^Port ${port} .*--port`),
    });
    server.close();
  });

  it("refuses a data folder that is in use, and takes over one whose process is gone", async () => {
    await using fixture = await startFixture();
    const { dataDir } = fixture;
    const options = {
      dataDir,
      port: 0,
      deploy: {},
      secrets: { Pepper: "x" },
      endpoints: { kms: { url: "", accessKeyId: "" } },
    };
    await expect(startHome(options)).rejects.toMatchObject({
      code: "data_in_use",
      message: expect.stringContaining(String(process.pid)),
    });
    await fixture.home.stop();
    expect(await readdir(join(dataDir, "cloud"))).not.toContain("holder.json");
    await writeFile(join(dataDir, "cloud", "lock"), `${process.pid}\n`);
    await fixture.restart();
    expect(JSON.parse(await readFile(join(dataDir, "cloud", "holder.json"), "utf8"))).toMatchObject({
      pid: process.pid,
    });
  });

  it("says when the data folder cannot be written", async () => {
    await using fixture = await startFixture();
    const file = join(fixture.dataDir, "file");
    await writeFile(file, "");
    await expect(startFixture({ dataDir: file })).rejects.toMatchObject({ code: "data_unusable" });
    await mkdir(join(fixture.dataDir, "other"));
  });

  it("fails when a linked secret has no value", async () => {
    await expect(startFixture({ secrets: {} })).rejects.toMatchObject({
      code: "config_invalid",
      message: 'The secret "Pepper" has no value.',
    });
  });

  it("runs several homes in one process", async () => {
    await using one = await startFixture();
    await using two = await startFixture();
    one.observer.script("bare", () => ({ do: "return", value: "one" }));
    two.observer.script("bare", () => ({ do: "return", value: "two" }));
    expect(await Promise.all([one.home.invoke("Bare", {}), two.home.invoke("Bare", {})])).toEqual([
      { status: "success", result: "one" },
      { status: "success", result: "two" },
    ]);
  });

  it("names what it does not know", async () => {
    await using fixture = await startFixture();
    await expect(fixture.home.invoke("Nope", {})).rejects.toMatchObject({ code: "unknown_name" });
    await expect(fixture.home.runCron("Nope")).rejects.toMatchObject({ code: "unknown_name" });
  });
});

describe("whenIdle", () => {
  it("waits for messages and for functions, and gives up with its signal", async () => {
    await using fixture = await startFixture();
    const gate = Promise.withResolvers<void>();
    fixture.observer.script("plain", async () => {
      await gate.promise;
      return { do: "aws", calls: ["send x"] };
    });
    let handled = false;
    fixture.observer.script("jobs", () => {
      handled = true;
      return { do: "return" };
    });
    const running = fixture.home.invoke("Plain", {});
    await expect(fixture.home.whenIdle(AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    const idle = fixture.home.whenIdle();
    gate.resolve();
    await running;
    await idle;
    expect(handled).toBe(true);
  });
});

describe("crons", () => {
  it("run on demand with their event", async () => {
    await using fixture = await startFixture();
    expect(await fixture.home.runCron("Tick")).toEqual({ status: "success", result: null });
    expect((await fixture.observer.sightings("tick", 1))[0]?.event).toEqual({});
  });

  it("run by the clock, and again when they failed, as often as their retries allow", async () => {
    const clock = manualClock();
    await using fixture = await startFixture({ clock, timers: true });
    fixture.observer.script("tick", () => ({ do: "return" }));
    clock.advance(60_000);
    await fixture.observer.sightings("tick", 1);
    fixture.observer.script("tick", () => ({ do: "throw", message: "no" }));
    clock.advance(60_000);
    await fixture.observer.sightings("tick", 2);
    await fixture.home.whenIdle();
    clock.advance(1000);
    await fixture.observer.sightings("tick", 3);
    await fixture.home.whenIdle();
    clock.advance(10_000);
    await fixture.home.whenIdle();
    expect(fixture.observer.seen).toHaveLength(3);
  });

  it("are not tried again once they are stopped, also when they fail only then", async () => {
    const clock = manualClock();
    const failed = Promise.withResolvers<Outcome>();
    let asked = 0;
    const invoke = () => {
      asked += 1;
      return failed.promise;
    };
    const every = { schedule: "rate(1 minute)", timezone: "UTC", retries: 2, enabled: true, event: {} };
    const pools = new Map([["f", { invoke } as unknown as FunctionPool]]);
    const timers = new Timers({ X: { name: "X", function: "f", ...every } }, pools, clock);
    timers.start();
    clock.advance(60_000);
    timers.stop();
    failed.resolve({ status: "crash", error: { errorType: "Stopped", at: [] } });
    await failed.promise;
    await new Promise(setImmediate);
    clock.advance(60_000);
    expect(asked).toBe(1);
  });

  const at = (iso: string) => Date.parse(iso);
  it.each([
    ["rate(1 minute)", "UTC", "2026-11-20T10:00:30Z", "2026-11-20T10:01:30Z"],
    ["rate(5 minutes)", "UTC", "2026-11-20T10:00:00Z", "2026-11-20T10:05:00Z"],
    ["cron(15 10 * * ? *)", "UTC", "2026-11-20T10:00:00Z", "2026-11-20T10:15:00Z"],
    ["cron(0 8 ? * MON-FRI *)", "UTC", "2026-11-20T10:00:00Z", "2026-11-23T08:00:00Z"],
    ["cron(0 8 ? * 2 *)", "UTC", "2026-11-20T10:00:00Z", "2026-11-23T08:00:00Z"],
    ["cron(0 8 1 * ? *)", "Europe/Berlin", "2026-11-20T10:00:00Z", "2026-12-01T07:00:00Z"],
    ["at(2026-11-20T13:00:00)", "UTC", "2026-11-20T10:00:00Z", "2026-11-20T13:00:00Z"],
  ])("%s in %s from %s is next due at %s", (schedule, timezone, from, next) => {
    expect(nextRun(schedule, timezone, at(from))).toBe(at(next));
  });

  it("refuse what is no schedule", () => {
    expect(() => nextRun("rate(1 second)", "UTC", 0)).toThrow("is not a schedule");
    const cron = { name: "X", function: "f", schedule: "now", timezone: "UTC", retries: 0, enabled: true, event: {} };
    expect(() => new Timers({ X: cron }, new Map()).start()).toThrow("is not a schedule");
  });
});
