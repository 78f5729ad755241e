import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { describe, expect, it } from "vitest";
import type { Home } from "../../infra/local/home.ts";
import type { Sighting } from "./observer.ts";
import { startFixture } from "./start-fixture.ts";

const clientOf = ({ operator: { region, credentials, endpoints } }: Home) =>
  new SQSClient({ region, credentials, endpoint: endpoints.sqs });

const urlOf = (home: Home, queue: string) => home.graph.queues[queue]?.url;

interface Record {
  messageId: string;
  body: string;
  attributes: { [name: string]: string };
  eventSourceARN: string;
}
const records = (sighting: Sighting): Record[] => sighting.event["Records"] as Record[];
const receivedAtMs = ({ attributes }: Record) => Number(attributes["ApproximateFirstReceiveTimestamp"]);
const bodies = (sighting: Sighting) => records(sighting).map(({ body }) => body);

async function sendMany(home: Home, queue: string, entries: { body: string; group?: string }[]): Promise<void> {
  const client = clientOf(home);
  for (let start = 0; start < entries.length; start += 10) {
    const Entries = entries.slice(start, start + 10).map(({ body, group }, index) => ({
      Id: String(index),
      MessageBody: body,
      ...(group === undefined ? {} : { MessageGroupId: group }),
      ...(queue === "Ordered" ? { MessageDeduplicationId: body } : {}),
    }));
    await client.send(new SendMessageBatchCommand({ QueueUrl: urlOf(home, queue), Entries }));
  }
  client.destroy();
}

describe("queue subscribers", () => {
  it("get batches with the fields of Lambda's SQS event", async () => {
    await using fixture = await startFixture();
    const client = clientOf(fixture.home);
    await client.send(
      new SendMessageCommand({
        QueueUrl: urlOf(fixture.home, "Jobs"),
        MessageBody: "hello",
        MessageGroupId: "tenant",
        MessageAttributes: { Colour: { DataType: "String", StringValue: "red" } },
      }),
    );
    const [sighting] = await fixture.observer.sightings("jobs", 1);
    expect(sighting?.event).toEqual({
      Records: [
        {
          messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          receiptHandle: expect.any(String),
          body: "hello",
          attributes: {
            ApproximateReceiveCount: "1",
            SentTimestamp: expect.stringMatching(/^\d{13}$/),
            MessageGroupId: "tenant",
            SenderId: expect.any(String),
            ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
          },
          messageAttributes: {
            Colour: { stringValue: "red", stringListValues: [], binaryListValues: [], dataType: "String" },
          },
          md5OfBody: "5d41402abc4b2a76b9719d911017c592",
          md5OfMessageAttributes: expect.any(String),
          eventSource: "aws:sqs",
          eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:Jobs",
          awsRegion: "us-east-1",
        },
      ],
    });
    client.destroy();
  });

  it("get the listed items again and lose the others (partial batch responses)", async () => {
    await using fixture = await startFixture();
    const done: string[] = [];
    fixture.observer.script("jobs", (sighting) => {
      const failed = records(sighting).filter(
        ({ body, attributes }) => body === "stubborn" && attributes["ApproximateReceiveCount"] === "1",
      );
      done.push(...bodies(sighting).filter((_, index) => !failed.includes(records(sighting)[index] as Record)));
      return {
        do: "return",
        value: { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) },
      };
    });
    await sendMany(fixture.home, "Jobs", [{ body: "easy" }, { body: "stubborn" }, { body: "easy too" }]);
    await fixture.home.whenIdle();
    expect(done.toSorted()).toEqual(["easy", "easy too", "stubborn"]);
  });

  it("P2: a message received more often than allowed ends in the dead-letter queue, whatever kills its handler", async () => {
    await using fixture = await startFixture();
    const deaths = ["throw", "exit", "hang"] as const;
    fixture.observer.script("jobs", (sighting) => {
      const death = deaths[Number(records(sighting)[0]?.attributes["ApproximateReceiveCount"]) - 1] ?? "throw";
      return death === "throw" ? { do: "throw", message: "no" } : { do: death };
    });
    await sendMany(fixture.home, "Jobs", [{ body: "poison", group: "tenant" }]);
    await fixture.home.whenIdle();
    const client = clientOf(fixture.home);
    const { Messages: [dead] = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl: urlOf(fixture.home, "JobsDead"), MessageSystemAttributeNames: ["All"] }),
    );
    expect(fixture.observer.seen.filter(({ role }) => role === "jobs")).toHaveLength(3);
    expect(dead).toMatchObject({ Body: "poison", Attributes: { MessageGroupId: "tenant" } });
    client.destroy();
  });

  it("keep the order of a FIFO group through failures, and take several of a group in one batch", async () => {
    await using fixture = await startFixture();
    const handled: string[] = [];
    let refused = false;
    fixture.observer.script("ordered", (sighting) => {
      const all = records(sighting);
      const second = all.find(({ body }) => body === "a2");
      if (second && !refused) {
        refused = true;
        handled.push(...bodies(sighting).filter((body) => !/^a[234]$/.test(body)));
        return { do: "return", value: { batchItemFailures: [{ itemIdentifier: second.messageId }] } };
      }
      handled.push(...bodies(sighting));
      return { do: "return" };
    });
    const group = (name: string) => [1, 2, 3, 4].map((n) => ({ body: `${name}${n}`, group: name }));
    await sendMany(fixture.home, "Ordered", [...group("a"), ...group("b")]);
    await fixture.home.whenIdle();
    expect(handled.filter((body) => body.startsWith("a"))).toEqual(["a1", "a2", "a3", "a4"]);
    expect(handled.filter((body) => body.startsWith("b"))).toEqual(["b1", "b2", "b3", "b4"]);
    expect(Math.max(...fixture.observer.seen.map((sighting) => bodies(sighting).length))).toBeGreaterThan(1);
  });

  it("serve a quiet tenant at once beside one with a long backlog (fair by MessageGroupId)", async () => {
    await using fixture = await startFixture();
    const gate = Promise.withResolvers<void>();
    fixture.observer.script("jobs", async () => {
      await gate.promise;
      return { do: "return" };
    });
    const busy = Array.from({ length: 300 }, (_, n) => ({ body: `busy ${n}`, group: "busy" }));
    const quiet = Array.from({ length: 5 }, (_, n) => ({ body: `quiet ${n}`, group: "quiet" }));
    await sendMany(fixture.home, "Jobs", [...busy, ...quiet]);
    await fixture.observer.sightings("jobs", 2);
    gate.resolve();
    await fixture.home.whenIdle();
    // As the queue gave them out: a worker that is slow to begin is seen late.
    const order = fixture.observer.seen.flatMap(records).toSorted((a, b) => receivedAtMs(a) - receivedAtMs(b));
    const lastQuiet = order.findLastIndex(({ body }) => body.startsWith("quiet"));
    // Two batches were under way before the quiet tenant's messages arrived; then tenants take turns.
    expect(lastQuiet).toBeLessThan(20 + 2 * 5 + 10);
  });

  it("P2: what was in flight or delayed when the home stopped is there at the next start, receive counts kept", async () => {
    await using fixture = await startFixture();
    fixture.observer.script("jobs", () => ({ do: "hang" }));
    const client = clientOf(fixture.home);
    const QueueUrl = urlOf(fixture.home, "Jobs");
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "held" }));
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "later", DelaySeconds: 900 }));
    await fixture.observer.sightings("jobs", 1);
    fixture.observer.script("jobs", () => ({ do: "return" }));
    await fixture.restart();
    const again = (await fixture.observer.sightings("jobs", 2))[1];
    expect(again && records(again)).toMatchObject([{ body: "held", attributes: { ApproximateReceiveCount: "2" } }]);
    expect(fixture.home.depths()["Jobs"]?.delayed).toBe(1);
    client.destroy();
  });

  it("leave visibility 0 possible for others: the engine's own path for it fails on its database", async () => {
    await using fixture = await startFixture();
    const client = clientOf(fixture.home);
    const QueueUrl = urlOf(fixture.home, "JobsDead");
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "x" }));
    await client.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0 }));
    const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }));
    expect(Attributes?.["MessageRetentionPeriod"]).toBe("1209600");
    const { Messages } = await client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 1 }));
    expect(Messages?.[0]?.Body).toBe("x");
    client.destroy();
  });

  it("P2: the messages of a batch are stored at once: what the disk refuses one of, it holds none of, and the sender is told", async () => {
    await using fixture = await startFixture();
    const file = join(fixture.dataDir, "cloud", "fauxqs.db");
    const database = new DatabaseSync(file);
    database.exec(`CREATE TRIGGER disk_full BEFORE INSERT ON sqs_messages WHEN new.body = 'last'
      BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END`);
    const stored = () => database.prepare("SELECT body FROM sqs_messages").all().length;
    const batch = (...all: string[]) =>
      sendMany(
        fixture.home,
        "JobsDead",
        all.map((body) => ({ body })),
      );
    await batch("first", "second");
    expect(stored()).toBe(2);
    await expect(batch("third", "last")).rejects.toMatchObject({ name: "InternalError" });
    expect(stored()).toBe(2);
    database.exec("DROP TRIGGER disk_full");
    await batch("third", "last");
    expect(stored()).toBe(4);
    database.close();
  });
});
