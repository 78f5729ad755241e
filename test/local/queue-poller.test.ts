import { expect, onTestFinished, test, vi } from "vitest";
import type { Delivery } from "../../infra/local/engines/local-queue.ts";
import { Meter } from "../../infra/local/engines/meter.ts";
import type { QueueNode } from "../../infra/local/graph.ts";
import type { Outcome } from "../../infra/local/host/execution.ts";
import { GivingWay } from "../../infra/local/pollers/giving-way.ts";
import { QueuePoller } from "../../infra/local/pollers/queue-poller.ts";
import { ToldOnce } from "../../infra/standins/told-once.ts";
import { ada, bob } from "../unit/scouts/setting.ts";
import { deliveries } from "./deliveries.ts";

const subscriber = { function: "Jobs", batchSize: 10, windowSeconds: 0, partialResponses: true };

/** A poller of a queue in which these messages wait; its worker never ends. */
function polling(waiting: Delivery[], givingWay = new GivingWay()) {
  const looked = Promise.withResolvers<void>();
  const begun: { people: Set<string>; isPatient: boolean | undefined }[] = [];
  const listeners = new Set<() => void>();
  const all = Promise.withResolvers<void>();
  const poller = new QueuePoller({
    subscriber,
    meter: new Meter(),
    givingWay,
    faults: undefined,
    told: new ToldOnce("the queues cannot be written"),
    queue: {
      node: { name: "Jobs", fifo: false, subscriber } as unknown as QueueNode,
      receive(max, _, admits = () => true) {
        const next = waiting.find(({ message }) => admits(message.messageGroupId ?? ""))?.message.messageGroupId;
        const taken = waiting.filter(({ message }) => message.messageGroupId === next).slice(0, max);
        for (const one of taken) waiting.splice(waiting.indexOf(one), 1);
        looked.resolve();
        return taken;
      },
      settle: () => {},
      keep: () => {},
      depth: () => ({ visible: waiting.length, inFlight: 0, delayed: 0 }),
      onChange: (listener) => listeners.add(listener),
    },
    pool: {
      size: 3,
      invoke(event, { isPatient } = {}) {
        const { Records } = event as { Records: { attributes: { MessageGroupId: string } }[] };
        begun.push({ people: new Set(Records.map(({ attributes }) => attributes.MessageGroupId)), isPatient });
        if (waiting.length === 0) all.resolve();
        return new Promise<Outcome>(() => {});
      },
    },
  });
  return { begun, looked: looked.promise, all: all.promise, poller };
}

/** A home in which the one has asked for much lately and a batch of the other is under way. */
function busyAndQuiet() {
  const givingWay = new GivingWay();
  const much = deliveries(ada, 100);
  givingWay.begin(much);
  givingWay.end(much);
  const quiet = deliveries(bob, 1);
  givingWay.begin(quiet);
  return { givingWay, quiet };
}

test("an invocation waits for the execution at work unless that is at work for somebody else", async () => {
  const { begun, all } = polling([...deliveries(ada, 20), ...deliveries(bob, 1)]);
  await all;
  expect(begun).toEqual([
    { people: new Set([ada]), isPatient: true },
    { people: new Set([ada]), isPatient: true },
    { people: new Set([bob]), isPatient: false },
  ]);
});

test("P2: a clock that is set back while a batch gives way keeps it no longer", async () => {
  const { givingWay } = busyAndQuiet();
  const { begun, looked, all } = polling(deliveries(ada, 10), givingWay);
  const nowMs = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(nowMs);
  onTestFinished(() => void vi.restoreAllMocks());
  await looked;
  vi.mocked(Date.now).mockReturnValue(nowMs - 2 * 86_400_000);
  await all;
  expect(begun).toHaveLength(1);
});

test("a busy person's batch begins as soon as a quiet person's has ended", async () => {
  const { givingWay, quiet } = busyAndQuiet();
  const { begun, looked, all } = polling(deliveries(ada, 10), givingWay);
  await looked;
  expect(begun).toEqual([]);
  givingWay.end(quiet);
  await all;
  expect(begun).toHaveLength(1);
});

test("a busy person's batch begins in the end beside a quiet person's that lasts", async () => {
  const { givingWay } = busyAndQuiet();
  const { begun, all } = polling(deliveries(ada, 10), givingWay);
  await all;
  expect(begun).toHaveLength(1);
});

test("a poller that has paused begins nothing that it held back", async () => {
  const { givingWay, quiet } = busyAndQuiet();
  const { begun, looked, poller } = polling(deliveries(ada, 10), givingWay);
  await looked;
  poller.pause();
  givingWay.end(quiet);
  await new Promise(setImmediate);
  expect(begun).toEqual([]);
});
