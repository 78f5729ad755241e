import { join } from "node:path";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { ReceiveMessageCommand, SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CrashPoint, FaultInjector } from "../../infra/local/faults.ts";
import { functionEnvironment } from "../../infra/local/host/environment.ts";
import { functionCode } from "../../infra/local/host/function-code.ts";
import { FunctionPool } from "../../infra/local/host/function-pool.ts";
import { seeds } from "../rounds.ts";
import { type Fixture, fixtureConfig, startFixture } from "./start-fixture.ts";

const clients = ({ home: { operator } }: Fixture) => ({
  tables: new DynamoDBClient({ ...operator, endpoint: operator.endpoints.dynamodb }),
  queues: new SQSClient({ ...operator, endpoint: operator.endpoints.sqs }),
});

describe("decisions of a hostile home", () => {
  const decisions = (seed: number) => {
    const faults = new FaultInjector({ seed, crashPerCall: 0.2, throttlePerRequest: 0.3 });
    return Array.from({ length: 50 }, () => [
      faults.crashPoint(),
      faults.throttles("key"),
      faults.duplicatesBatch(),
      faults.shuffled([1, 2, 3, 4]),
    ]);
  };

  it("are the same for the same seed and others for another", () => {
    expect(decisions(7)).toEqual(decisions(7));
    expect(decisions(7)).not.toEqual(decisions(8));
  });

  it("never happen at rate 0, always at rate 1, and a shuffle keeps every item", () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.integer()), (seed, items) => {
        const rates = (rate: number) => ({
          seed,
          crashPerCall: rate,
          throttlePerRequest: rate,
          duplicatePerBatch: rate,
          lostDeletePerBatch: rate,
          gonePerPost: rate,
          lostDisconnect: rate,
        });
        const never = new FaultInjector(rates(0));
        const always = new FaultInjector(rates(1));
        expect(never.crashPoint()).toBeUndefined();
        expect(always.crashPoint()?.call).toBe(0);
        for (const [faults, expected] of [
          [never, false],
          [always, true],
        ] as const) {
          expect(faults.throttles("k")).toBe(expected);
          expect(faults.duplicatesBatch()).toBe(expected);
          expect(faults.losesDelete()).toBe(expected);
          expect(faults.postIsGone()).toBe(expected);
          expect(faults.losesDisconnect()).toBe(expected);
        }
        expect(never.shuffled(items).toSorted()).toEqual(items.toSorted());
      }),
    );
  });
});

describe("a crash at a chosen call", () => {
  it.each([
    ["before", 1, false],
    ["after", 1, true],
    ["before", 2, true],
    ["after", 0, false],
  ] as const)("%s call %i happened leaves the item written: %s", async (when, call, written) => {
    await using fixture = await startFixture();
    const { graph, operator } = fixture.home;
    const node = graph.functions["Plain"];
    if (!node) throw new Error("the fixture has no function Plain");
    const crash: CrashPoint = { call, when };
    const pool = new FunctionPool(node, {
      code: functionCode(fixtureConfig),
      logFolder: join(fixture.dataDir, "logs"),
      environment: functionEnvironment(node, graph, { Pepper: "x" }, operator.endpoints, {
        ...operator.credentials,
        name: "test",
        rights: "everything",
      }),
      size: 1,
      idleMs: 60_000,
      patienceMs: 1,
      crashPoint: () => crash,
      onLog: undefined,
    });
    // Call 0 asks the observer, call 1 writes the item, call 2 reads it.
    fixture.observer.script("plain", () => ({ do: "aws", calls: ["put 1", "get 1"] }));
    expect(await pool.invoke({})).toMatchObject({ status: "crash" });
    await pool.close();
    const { tables } = clients(fixture);
    const { Item } = await tables.send(
      new GetItemCommand({ TableName: "Things", Key: { pk: { S: "1" }, sk: { S: "x" } } }),
    );
    expect(Item !== undefined).toBe(written);
    tables.destroy();
  });
});

describe("under a hostile home", () => {
  it.each(seeds([1, 2, 3]))("P2: every message is worked off or dead-lettered, seed %i", async (seed) => {
    await using fixture = await startFixture({
      hostile: {
        seed,
        crashPerCall: 0.05,
        throttlePerRequest: 0.05,
        duplicatePerBatch: 0.2,
        lostDeletePerBatch: 0.2,
      },
    });
    fixture.observer.script("jobs", ({ event }) => ({
      do: "aws",
      calls: (event["Records"] as { body: string }[]).map(({ body }) => `put ${body}`),
    }));
    const { tables, queues } = clients(fixture);
    const bodies = Array.from({ length: 60 }, (_, n) => `m${n}`);
    for (let start = 0; start < bodies.length; start += 10) {
      const Entries = bodies.slice(start, start + 10).map((body) => ({ Id: body, MessageBody: body }));
      await queues.send(new SendMessageBatchCommand({ QueueUrl: fixture.home.graph.queues["Jobs"]?.url, Entries }));
    }
    await fixture.home.whenIdle();
    const dead = new Set<string>();
    for (;;) {
      const { Messages = [] } = await queues.send(
        new ReceiveMessageCommand({ QueueUrl: fixture.home.graph.queues["JobsDead"]?.url, MaxNumberOfMessages: 10 }),
      );
      if (Messages.length === 0) break;
      for (const { Body } of Messages) dead.add(String(Body));
    }
    for (const body of bodies) {
      const { Item } = await tables.send(
        new GetItemCommand({ TableName: "Things", Key: { pk: { S: body }, sk: { S: "x" } } }),
      );
      expect(Item !== undefined || dead.has(body), body).toBe(true);
    }
    const deliveries = fixture.observer.seen.flatMap(({ event }) => event["Records"] as unknown[]).length;
    expect(deliveries).toBeGreaterThan(bodies.length);
    tables.destroy();
    queues.destroy();
  });
});
