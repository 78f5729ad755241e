import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type EngineMessage, startFauxqsEngine } from "../../infra/local/engines/fauxqs.ts";
import type { LocalQueue } from "../../infra/local/engines/local-queue.ts";
import { provisionQueues } from "../../infra/local/engines/queues.ts";
import { evaluate, type Graph } from "../../infra/local/graph.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const clock = Date.now;
/** How far the clock is ahead of the real one. */
let aheadMs: number;
let folder: string;
let graph: Graph;
let closing: (() => Promise<void>) | undefined;

beforeEach(async () => {
  aheadMs = 0;
  vi.spyOn(Date, "now").mockImplementation(() => clock() + aheadMs);
  [folder, graph] = [await mkdtemp(join(tmpdir(), "scouts-queue-")), await evaluate({ stage: "ci" })];
});
afterEach(async () => {
  await closing?.();
  closing = undefined;
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** The queue of items, as a home that starts has it. */
async function opened(): Promise<{ queue: LocalQueue; send(body: string, delayMs: number): void }> {
  await closing?.();
  const engine = await startFauxqsEngine(folder, () => {});
  const queues = await provisionQueues(engine, graph);
  closing = async () => {
    for (const each of queues.values()) each.close();
    await engine.close();
  };
  const queue = queues.get("Triage");
  const stored = queue && engine.sqs.getQueueByName(queue.node.queueName);
  if (!queue || !stored) throw new Error("There is no such queue");
  const rest = { md5OfBody: "", messageAttributes: {}, md5OfMessageAttributes: "", approximateReceiveCount: 0 };
  const send = (body: string, delayMs: number) => {
    const times = { sentTimestamp: Date.now(), delayUntil: Date.now() + delayMs };
    stored.enqueue({ messageId: crypto.randomUUID(), messageGroupId: "g", body, ...rest, ...times } as EngineMessage);
  };
  return { queue, send };
}
const received = (queue: LocalQueue) => queue.receive(10).map(({ message }) => message.body);

describe("P2: a clock that is set back keeps no message longer than it was to wait", () => {
  test("one with a delay comes when that has passed, be the step days or minutes", async () => {
    const { queue, send } = await opened();
    send("a", 10 * minuteMs);
    aheadMs = -2 * dayMs;
    expect(received(queue)).toEqual([]);
    aheadMs += 4 * minuteMs;
    expect(received(queue)).toEqual([]);
    aheadMs -= 5 * minuteMs;
    expect(received(queue)).toEqual([]);
    aheadMs += 6 * minuteMs + 1_000;
    expect(received(queue)).toEqual(["a"]);
  });

  test("one that was not worked off comes again", async () => {
    const { queue, send } = await opened();
    send("a", 0);
    const [delivery] = queue.receive(1);
    aheadMs = -2 * dayMs;
    if (delivery) queue.settle([], [delivery], () => 1_000);
    aheadMs -= 2 * dayMs;
    expect(received(queue)).toEqual([]);
    aheadMs += 2_000;
    expect(received(queue)).toEqual(["a"]);
  });

  test("one of a home that was not running meanwhile waits no longer than any can", async () => {
    const { send } = await opened();
    send("a", 10 * minuteMs);
    aheadMs = -2 * dayMs;
    const { queue } = await opened();
    aheadMs += 15 * minuteMs;
    expect(received(queue)).toEqual(["a"]);
  });
});

test("a clock that goes ahead, or is slewed, changes nothing", async () => {
  const { queue, send } = await opened();
  send("a", 10 * minuteMs);
  aheadMs = 9 * minuteMs;
  expect(received(queue)).toEqual([]);
  for (let slewed = 0; slewed < 10; slewed += 1) {
    aheadMs -= 1;
    expect(received(queue)).toEqual([]);
  }
  aheadMs += minuteMs + 1_000;
  expect(received(queue)).toEqual(["a"]);
});
