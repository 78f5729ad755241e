import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { expect, onTestFinished, test } from "vitest";
import type { Delivery } from "../../infra/local/engines/local-queue.ts";
import { Meter } from "../../infra/local/engines/meter.ts";
import type { QueueNode } from "../../infra/local/graph.ts";
import { GivingWay } from "../../infra/local/pollers/giving-way.ts";
import { QueuePoller } from "../../infra/local/pollers/queue-poller.ts";
import { ToldOnce } from "../../infra/standins/told-once.ts";
import { told } from "../standins/stderr-told.ts";
import { ada } from "../unit/scouts/setting.ts";
import { deliveries } from "./deliveries.ts";
import { startFixture } from "./start-fixture.ts";

/** A home's queues without a worker, and their file, which refuses what is told. */
async function queuesOnDisk(queue: "JobsDead" | "OrderedDead") {
  const fixture = await startFixture();
  const database = new DatabaseSync(join(fixture.dataDir, "cloud", "fauxqs.db"));
  const { region, credentials, endpoints } = fixture.home.operator;
  const client = new SQSClient({ region, credentials, endpoint: endpoints.sqs, maxAttempts: 1 });
  onTestFinished(async () => {
    client.destroy();
    database.close();
    await fixture[Symbol.asyncDispose]();
  });
  const QueueUrl = fixture.home.graph.queues[queue]?.url;
  return {
    client,
    QueueUrl,
    refuse: (what: string) =>
      database.exec(`CREATE TRIGGER full BEFORE ${what} BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END`),
    room: () => database.exec("DROP TRIGGER full"),
    stored: () =>
      database
        .prepare("SELECT body FROM sqs_messages")
        .all()
        .map(({ body }) => body),
    receive: async () => {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, AttributeNames: ["All"] }),
      );
      return Messages;
    },
  };
}

test.each(["JobsDead", "OrderedDead"] as const)(
  "P2: what a full disk refuses to note as received waits as before, %s",
  async (name) => {
    const queue = await queuesOnDisk(name);
    const order = name === "OrderedDead" ? { MessageGroupId: "one" } : {};
    for (const body of ["first", "second"]) {
      const id = name === "OrderedDead" ? { MessageDeduplicationId: body } : {};
      await queue.client.send(new SendMessageCommand({ QueueUrl: queue.QueueUrl, MessageBody: body, ...order, ...id }));
    }
    // The second of two is refused: the first is not taken either.
    queue.refuse("UPDATE ON sqs_messages WHEN new.body = 'second'");
    await expect(queue.receive()).rejects.toThrow();
    queue.room();
    const received = await queue.receive();
    expect(received.map(({ Body }) => Body)).toEqual(["first", "second"]);
    expect(received.map(({ Attributes }) => Attributes?.["ApproximateReceiveCount"])).toEqual(["1", "1"]);
  },
);

test("P2: what a full disk refuses to delete is under way as before, and is deleted when there is room", async () => {
  const { client, QueueUrl, receive, refuse, room, stored } = await queuesOnDisk("OrderedDead");
  const entry = { MessageGroupId: "one", MessageDeduplicationId: "a" };
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "a", ...entry }));
  const [message] = await receive();
  const ReceiptHandle = message?.ReceiptHandle;
  refuse("DELETE ON sqs_messages");
  await expect(client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))).rejects.toThrow();
  room();
  expect(stored()).toEqual(["a"]);
  await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  expect(stored()).toEqual([]);
});

test("P2: what a full disk refused to take in is taken in when it is sent again, and once", async () => {
  const { client, QueueUrl, receive, refuse, room, stored } = await queuesOnDisk("OrderedDead");
  const Entries = ["a", "last"].map((body) => ({
    ...{ Id: body, MessageBody: body, MessageGroupId: body, MessageDeduplicationId: body },
  }));
  refuse("INSERT ON sqs_messages WHEN new.body = 'last'");
  await expect(client.send(new SendMessageBatchCommand({ QueueUrl, Entries }))).rejects.toThrow();
  room();
  await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  expect(stored()).toEqual(["a", "last"]);
  const received = await receive();
  expect(received.map(({ Body }) => Body).toSorted()).toEqual(["a", "last"]);
  for (const { ReceiptHandle } of received) {
    await client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 60 }));
  }
});

test("nothing lost: a queue whose disk is full ends no home, is told of once, and is served when there is room", async () => {
  const full = () => {
    throw Object.assign(new Error("database or disk is full"), { errstr: "database or disk is full" });
  };
  const subscriber = { function: "Jobs", batchSize: 10, windowSeconds: 0, partialResponses: true };
  const waiting = deliveries(ada, 3);
  const later: (() => void)[] = [];
  const kept = Promise.withResolvers<number>();
  const settled = Promise.withResolvers<number>();
  const refusing = { receive: true, settle: true };
  let invoked = 0;
  const stderr = told();
  const first = stderr.next();
  const poller = new QueuePoller({
    subscriber,
    meter: new Meter(),
    givingWay: new GivingWay(),
    faults: undefined,
    told: new ToldOnce("the queues cannot be written"),
    after: (_, run) => {
      later.push(run);
      return () => {};
    },
    queue: {
      node: { name: "Jobs", fifo: false, subscriber } as unknown as QueueNode,
      receive: (max): Delivery[] => (refusing.receive ? full() : waiting.splice(0, max)),
      settle: (done) => (refusing.settle ? full() : settled.resolve(done.length)),
      keep: (done) => kept.resolve(done.length),
      depth: () => ({ visible: waiting.length, inFlight: 0, delayed: 0 }),
      onChange: () => {},
    },
    pool: {
      size: 1,
      invoke: async () => {
        invoked += 1;
        return { status: "success", result: { batchItemFailures: [] } };
      },
    } as never,
  });
  onTestFinished(() => poller.pause());
  await first;
  expect(stderr.lines.join("")).toMatch(/the queues cannot be written.*disk is full/s);
  expect([invoked, waiting.length, later.length]).toEqual([0, 3, 1]);
  refusing.receive = false;
  for (const run of later.splice(0)) run();
  expect(await kept.promise).toBe(3);
  await new Promise(setImmediate);
  refusing.settle = false;
  for (const run of later.splice(0)) run();
  expect(await settled.promise).toBe(3);
  expect([invoked, stderr.lines.length]).toEqual([1, 1]);
});
