import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { functionEnvironment } from "../../infra/local/host/environment.ts";
import { type FunctionCode, functionCode } from "../../infra/local/host/function-code.ts";
import { FunctionPool, type FunctionPoolOptions } from "../../infra/local/host/function-pool.ts";
import { type Fixture, fixtureConfig, startFixture } from "./start-fixture.ts";

const log = ({ dataDir }: Fixture, name: string) => readFile(join(dataDir, "cloud", "logs", `${name}.log`), "utf8");

/** Threads that load, and are done with an event, when the observer answers. */
const heldCode: FunctionCode = {
  ...functionCode(fixtureConfig),
  thread: fileURLToPath(new URL("./fixtures/held-thread.ts", import.meta.url)),
};

/** Two executions at most of the fixture's function, beside those of its home. */
function poolOf(
  { home: { graph, operator }, dataDir }: Fixture,
  times: Pick<FunctionPoolOptions, "idleMs" | "patienceMs">,
  code = functionCode(fixtureConfig),
): FunctionPool {
  const node = graph.functions["Plain"];
  if (node === undefined) throw new Error("the fixture has no function Plain");
  const key = { ...operator.credentials, name: "test", rights: "everything" as const };
  return new FunctionPool(node, {
    code,
    logFolder: join(dataDir, "logs"),
    environment: functionEnvironment(node, graph, { Pepper: "x" }, operator.endpoints, key),
    size: 2,
    ...times,
    crashPoint: () => undefined,
    onLog: undefined,
  });
}

describe("the function host", () => {
  it("loads a function ahead once, hands it the first event, and ends it when nobody asks", async () => {
    await using fixture = await startFixture();
    const pool = poolOf(fixture, { idleMs: 60_000, patienceMs: 60_000 });
    await Promise.all([pool.warm(), pool.warm()]);
    expect(pool.kept).toBe(1);
    await pool.invoke({});
    await pool.warm();
    expect(pool.kept).toBe(1);
    await pool.close();
    await pool.warm();
    expect(pool.kept).toBe(0);

    const seldom = poolOf(fixture, { idleMs: 1, patienceMs: 60_000 });
    await seldom.warm();
    await expect.poll(() => seldom.kept).toBe(0);
    await seldom.close();
  });

  it("refuses to load a function ahead that there is not", async () => {
    await expect(startFixture({ warm: ["Nobody"] })).rejects.toMatchObject({ code: "unknown_name" });
  });

  it("gives a function the environment it is linked to and nothing of this process's", async () => {
    process.env["LOCAL_HOME_LEAK"] = "1";
    await using fixture = await startFixture();
    await fixture.home.invoke("Bare", {});
    await fixture.home.invoke("Plain", {});
    const bare = (await fixture.observer.sightings("bare", 1))[0]?.environment ?? [];
    const plain = (await fixture.observer.sightings("plain", 1))[0]?.environment ?? [];
    expect(bare.filter((name) => name.startsWith("SST_"))).toEqual(["SST_RESOURCE_App"]);
    expect(bare.filter((name) => !/^(AWS_|SST_|LAMBDA_)/.test(name)).toSorted()).toEqual([
      "OBSERVER_URL",
      "ROLE",
      "TZ",
    ]);
    expect(plain).toContain("SST_RESOURCE_Pepper");
    expect(plain).not.toContain("LOCAL_HOME_LEAK");
    delete process.env["LOCAL_HOME_LEAK"];
  });

  it("lets handlers read links through `Resource` of the sst package", async () => {
    await using fixture = await startFixture();
    for (const [name, expected] of [
      ["App", { name: "fixture", stage: "local" }],
      ["Pepper", { value: "black" }],
      ["ThingsTable", { name: "Things" }],
      ["DeviceSocket", { managementEndpoint: `${fixture.home.apiUrl}/socket` }],
    ] as const) {
      fixture.observer.script("plain", () => ({ do: "resource", name }));
      expect(await fixture.home.invoke("Plain", {})).toEqual({ status: "success", result: expected });
    }
    fixture.observer.script("bare", () => ({ do: "resource", name: "Pepper" }));
    expect(await fixture.home.invoke("Bare", {})).toMatchObject({ status: "error" });
  });

  it("P1: logs how an invocation failed by class, code and place, never by message, event or result", async () => {
    await using fixture = await startFixture();
    const canary = "canary-7f3a";
    fixture.observer.script("plain", ({ event }) =>
      event["die"]
        ? { do: "throw", message: `${canary}\n    at ${canary} (file:///x:1:1)` }
        : { do: "return", value: canary },
    );
    const outcome = await fixture.home.invoke("Plain", { die: true, canary });
    await fixture.home.invoke("Plain", { canary });
    await fixture.home.stop();
    const text = await log(fixture, "Plain");
    expect(outcome).toMatchObject({ status: "error", error: { errorType: "TypeError" } });
    expect(JSON.parse(text.trim())).toMatchObject({
      type: "platform.runtimeDone",
      status: "error",
      errorType: "TypeError",
    });
    expect(text).not.toContain(canary);
  });

  it("keeps what the function prints in its log", async () => {
    await using fixture = await startFixture();
    fixture.observer.script("plain", () => ({ do: "print", text: "a line" }));
    await fixture.home.invoke("Plain", {});
    await fixture.home.stop();
    expect(await log(fixture, "Plain")).toBe("a line\n");
  });

  it("kills a function that runs out of time, and starts anew for the next event", async () => {
    await using fixture = await startFixture();
    fixture.observer.script("jobs", ({ event }) => (event["hang"] ? { do: "hang" } : { do: "return", value: 1 }));
    expect(await fixture.home.invoke("JobsSubscriber", { hang: true })).toMatchObject({ status: "timeout" });
    expect(await fixture.home.invoke("JobsSubscriber", {})).toEqual({ status: "success", result: 1 });
    const [hung] = await fixture.observer.sightings("jobs", 1);
    expect(hung?.remainingMs).toBeGreaterThan(0);
    expect(hung?.remainingMs).toBeLessThanOrEqual(2000);
  });

  it("kills a function that exceeds its memory without harm to the others", async () => {
    await using fixture = await startFixture();
    fixture.observer.script("plain", () => ({ do: "allocate" }));
    expect(await fixture.home.invoke("Plain", {})).toMatchObject({
      status: "crash",
      error: { errorCode: "ERR_WORKER_OUT_OF_MEMORY" },
    });
    expect(await fixture.home.invoke("Bare", {})).toMatchObject({ status: "success" });
  });

  it("reports a crash when a function exits or is killed", async () => {
    await using fixture = await startFixture();
    fixture.observer.script("plain", () => ({ do: "exit" }));
    expect(await fixture.home.invoke("Plain", {})).toMatchObject({ status: "crash" });
    fixture.observer.script("plain", () => ({ do: "hang" }));
    const running = fixture.home.invoke("Plain", {});
    await fixture.observer.sightings("plain", 2);
    await fixture.home.killFunction("Plain");
    expect(await running).toMatchObject({ status: "crash" });
  });

  it("hands no event to an execution that ended after its answer", async () => {
    await using fixture = await startFixture();
    const pool = poolOf(fixture, { idleMs: 600_000, patienceMs: 600_000 });
    fixture.observer.script("plain", () => ({ do: "exitLater" }));
    expect(await pool.invoke({})).toMatchObject({ status: "success" });
    await expect.poll(() => pool.kept).toBe(0);
    expect(await pool.invoke({})).toMatchObject({ status: "success" });
    await pool.close();
  });

  it("handles no more events of a function at once than it has executions", async () => {
    await using fixture = await startFixture({ poolSize: () => 1 });
    let open = 0;
    let most = 0;
    fixture.observer.script("plain", async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise(setImmediate);
      open -= 1;
      return { do: "return" };
    });
    await Promise.all([1, 2, 3, 4].map(() => fixture.home.invoke("Plain", {})));
    expect(most).toBe(1);
  });

  it.each(["while the first event is long", "once the first event is over"])(
    "gives an event an execution of its own where another waits for it: %s",
    async (order) => {
      await using fixture = await startFixture();
      const met = Promise.withResolvers<void>();
      let others = 0;
      fixture.observer.script("plain", async ({ event }) => {
        if (event["first"]) return { do: "return" };
        others += 1;
        if (others === 2) met.resolve();
        await met.promise;
        return { do: "return" };
      });
      const events = [...(order.startsWith("once") ? [{ first: true }] : []), {}, {}];
      const outcomes = await Promise.all(events.map((event) => fixture.home.invoke("Plain", event)));
      expect(outcomes.map(({ status }) => status)).toEqual(events.map(() => "success"));
    },
  );

  it("has an event wait for the execution that is at work, and begins no second one while it is patient", async () => {
    await using fixture = await startFixture();
    const pool = poolOf(fixture, { idleMs: 60_000, patienceMs: 600_000 });
    fixture.observer.script("plain", () => ({ do: "return", value: "done" }));
    await pool.invoke({});
    await Promise.all([pool.invoke({}), pool.invoke({}), pool.invoke({})]);
    expect(pool.kept).toBe(1);
    fixture.observer.script("plain", () => ({ do: "exit" }));
    const ended = await Promise.all([pool.invoke({}), pool.invoke({})]);
    expect(ended.map(({ status }) => status)).toEqual(["crash", "crash"]);
    await pool.close();
  });

  it("begins an execution of its own at once for an event that is not patient", async () => {
    await using fixture = await startFixture();
    const pool = poolOf(fixture, { idleMs: 60_000, patienceMs: 600_000 });
    const met = Promise.withResolvers<void>();
    let others = 0;
    fixture.observer.script("plain", async () => {
      others += 1;
      if (others === 2) met.resolve();
      await met.promise;
      return { do: "return" };
    });
    await Promise.all([pool.invoke({}), pool.invoke({}, { isPatient: false })]);
    expect(pool.kept).toBe(2);
    await pool.close();
  });

  describe("while an execution is loaded, however slow the machine", () => {
    afterEach(() => void vi.useRealTimers());

    it("begins no second one for an event that waits, which waits its time from then on", async () => {
      await using fixture = await startFixture();
      const [loaded, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      fixture.observer.script("loading", () => loaded.promise.then(() => ({ do: "return" })));
      fixture.observer.script("event", () => done.promise.then(() => ({ do: "return" })));
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const pool = poolOf(fixture, { idleMs: 60_000, patienceMs: 500 }, heldCode);
      const both = Promise.all([pool.invoke({}), pool.invoke({})]);
      await fixture.observer.sightings("loading", 1);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(pool.kept).toBe(1);
      loaded.resolve();
      await fixture.observer.sightings("event", 1);
      await vi.advanceTimersByTimeAsync(499);
      expect(pool.kept).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(pool.kept).toBe(2);
      done.resolve();
      expect((await both).map(({ status }) => status)).toEqual(["success", "success"]);
      await pool.close();
    });

    it("begins one for an event that is not patient, also behind one that is", async () => {
      await using fixture = await startFixture();
      const loaded = Promise.withResolvers<void>();
      fixture.observer.script("loading", () => loaded.promise.then(() => ({ do: "return" })));
      const pool = poolOf(fixture, { idleMs: 60_000, patienceMs: 600_000 }, heldCode);
      const all = Promise.all([pool.invoke({}), pool.invoke({}), pool.invoke({}, { isPatient: false })]);
      await fixture.observer.sightings("loading", 2);
      expect(pool.kept).toBe(2);
      loaded.resolve();
      expect((await all).map(({ status }) => status)).toEqual(["success", "success", "success"]);
      await pool.close();
    });
  });

  it("ends the executions of a function that nobody asks anything for a while, and begins another when somebody does", async () => {
    await using fixture = await startFixture();
    const pool = poolOf(fixture, { idleMs: 1, patienceMs: 1 });
    fixture.observer.script("plain", () => ({ do: "return", value: "done" }));
    const both = await Promise.all([pool.invoke({}), pool.invoke({})]);
    await expect.poll(() => pool.kept).toBe(0);
    expect([...both, await pool.invoke({})]).toEqual(
      Array.from({ length: 3 }, () => ({ status: "success", result: "done" })),
    );
    await pool.close();
  });
});
