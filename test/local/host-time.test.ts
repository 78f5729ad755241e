import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type FunctionCode, functionCode } from "../../infra/local/host/function-code.ts";
import { FunctionPool } from "../../infra/local/host/function-pool.ts";
import { fixtureConfig, startFixture } from "./start-fixture.ts";

/** Threads that answer at once, and make the file TOLD then. */
const toldCode: FunctionCode = {
  ...functionCode(fixtureConfig),
  thread: fileURLToPath(new URL("./fixtures/told-thread.ts", import.meta.url)),
};

describe("the time of a function", () => {
  it("hands no event to an execution whose time was up when its answer was read", async () => {
    await using fixture = await startFixture();
    const plain = fixture.home.graph.functions["Plain"];
    if (plain === undefined) throw new Error("the fixture has no function Plain");
    const node = { ...plain, timeoutSeconds: 0.001 };
    const told = join(fixture.dataDir, "told");
    const pool = new FunctionPool(node, {
      code: toldCode,
      logFolder: join(fixture.dataDir, "logs"),
      environment: { TOLD: told },
      size: 1,
      idleMs: 60_000,
      patienceMs: 60_000,
      crashPoint: () => undefined,
      onLog: undefined,
    });
    await pool.warm();
    await setImmediate();
    const first = pool.invoke({});
    // No timer and no message comes through meanwhile, as in a home that is busy with something else.
    while (!existsSync(told)) await null;
    await first;
    node.timeoutSeconds = 60;
    expect(await pool.invoke({})).toEqual({ status: "success", result: null });
    await pool.close();
  });

  it.each([
    ["ahead", 3_600_000],
    ["back", -3_600_000],
  ])("leaves a function the time it has when the clock is set %s", async (_, byMs) => {
    await using fixture = await startFixture();
    fixture.observer.script("jobs", () => ({ do: "setClock", byMs }));
    const outcome = await fixture.home.invoke("JobsSubscriber", {});
    const [seen] = await fixture.observer.sightings("jobs", 1);
    const left = outcome.status === "success" ? Number(outcome.result) : Number.NaN;
    expect(left).toBeGreaterThan(0);
    // As on Lambda: timers and signals take whole milliseconds.
    expect(Number.isInteger(left)).toBe(true);
    expect(left).toBeLessThanOrEqual(seen?.remainingMs ?? 0);
  });
});
