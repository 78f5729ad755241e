import { SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import { listDeadLetters, redrive } from "../../../cli/ops/dead-letters.ts";
import { longestWaits } from "../../../shared/aws/answered-in-time.ts";

const queue = { name: "TriageDeadLetters", url: "http://127.0.0.1:1/0/dead", sourceUrl: "http://127.0.0.1:1/0/triage" };

interface Asked {
  readonly WaitTimeSeconds?: number;
  readonly Entries?: readonly { readonly Id: string; readonly MessageBody?: string; readonly ReceiptHandle?: string }[];
}

/**
 * A queue of few messages as SQS keeps them, on many servers: who does not wait is answered by some of the servers, which may have none
 * (SQS developer guide, "Short and long polling").
 */
function scattered(bodies: readonly string[]) {
  const client = new SQSClient({ region: "us-east-1", credentials: { accessKeyId: "test", secretAccessKey: "test" } });
  const left = new Map(bodies.map((Body, at) => [`m${at}`, { Body, hidden: false }]));
  const [sent, waits]: [string[], number[]] = [[], []];
  const answers: Record<string, (asked: Asked) => object> = {
    ReceiveMessageCommand: ({ WaitTimeSeconds = 0 }) => {
      waits.push(WaitTimeSeconds);
      const [id, message] = [...left].find(([, { hidden }]) => !hidden) ?? [];
      if (WaitTimeSeconds === 0 || id === undefined || !message) return {};
      message.hidden = true;
      const Attributes = { SentTimestamp: "1", ApproximateReceiveCount: "6" };
      return { Messages: [{ MessageId: id, ReceiptHandle: id, Body: message.Body, Attributes }] };
    },
    SendMessageBatchCommand: ({ Entries = [] }) => {
      sent.push(...Entries.map(({ MessageBody = "" }) => MessageBody));
      return { Successful: Entries.map(({ Id }) => ({ Id })) };
    },
    DeleteMessageBatchCommand: ({ Entries = [] }) => {
      for (const { ReceiptHandle = "" } of Entries) left.delete(ReceiptHandle);
      return {};
    },
    ChangeMessageVisibilityBatchCommand: ({ Entries = [] }) => {
      for (const { ReceiptHandle = "" } of Entries) Object.assign(left.get(ReceiptHandle) ?? {}, { hidden: false });
      return {};
    },
  };
  client.middlewareStack.add(
    (_, { commandName = "" }) =>
      async (step) => ({
        output: { $metadata: {}, ...answers[commandName]?.(step.input as Asked) },
        response: {},
      }),
    { step: "initialize", priority: "high" },
  );
  return { client, left, sent, waits };
}

const bodies = ["m1", "m2", "m3"].map((ref) => JSON.stringify({ v: 1, ref }));

test("nothing silent: dead letters are listed though a server that is asked has none of them, and are there afterwards", async () => {
  const { client, left } = scattered(bodies);
  const found = await listDeadLetters(client, queue);
  expect(found.map(({ ids }) => ids["ref"])).toEqual(["m1", "m2", "m3"]);
  expect([...left.values()].map(({ hidden }) => hidden)).toEqual([false, false, false]);
});

test("P2: all of them are sent again", async () => {
  const { client, left, sent } = scattered(bodies);
  expect(await redrive(client, queue, new AbortController().signal)).toEqual({ moved: 3, sealed: 0 });
  expect([sent, left.size]).toEqual([bodies, 0]);
});

test("who waits for the servers is not taken for one that is not answered", async () => {
  const { client, waits } = scattered(bodies);
  await listDeadLetters(client, queue);
  expect(Math.max(...waits) * 1_000).toBeLessThan(longestWaits.socketTimeout);
});
