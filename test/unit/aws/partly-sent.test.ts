import { SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import { SqsQueue } from "../../../shared/aws/sqs-queue.ts";

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
}

/**
 * A queue that answers each request with what it could not take of it.
 *
 * @param refuses which of the messages of a request, by its number; whose fault it is
 */
function partial(refuses: (body: number, request: number) => "ours" | "theirs" | undefined) {
  const client = new SQSClient({
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  const asked: number[][] = [];
  client.middlewareStack.add(
    () => async (step) => {
      const { Entries } = step.input as { Entries: Entry[] };
      asked.push(Entries.map(({ MessageBody }) => Number(MessageBody)));
      const Failed = Entries.flatMap(({ Id, MessageBody }) => {
        const whose = refuses(Number(MessageBody), asked.length);
        return whose ? [{ Id, Code: "InternalError", SenderFault: whose === "ours" }] : [];
      });
      return { output: { $metadata: {}, Successful: [], Failed }, response: {} };
    },
    { step: "initialize", priority: "high" },
  );
  const pauses: number[] = [];
  const sleep = async (delayMs: number) => void pauses.push(delayMs);
  const queue = new SqsQueue<number>("http://127.0.0.1:1/0/q", client, { sleep, random: () => 0.5 });
  const send = (count: number) => queue.send(Array.from({ length: count }, (_, body) => ({ body, group: "g" })));
  return { send, asked, pauses };
}

test("P2: what a queue could not take of a request is sent again, and nothing else, after pauses that grow", async () => {
  const { send, asked, pauses } = partial((body, request) => (body < 4 - request ? "theirs" : undefined));
  await send(12);
  expect(asked).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [0, 1, 2], [0, 1], [0], [10, 11]]);
  expect(pauses).toEqual([25, 50, 100]);
});

test("what it takes at once is waited for by nobody", async () => {
  const { send, pauses } = partial(() => undefined);
  await send(10);
  expect(pauses).toEqual([]);
});

test("P2: what it never takes is told as not sent", async () => {
  const { send, asked } = partial((body) => (body === 3 ? "theirs" : undefined));
  await expect(send(10)).rejects.toMatchObject({ code: "queue_unavailable", data: { failed: 1 } });
  expect(asked.slice(1)).toEqual([[3], [3], [3]]);
});

test("what it refuses for our own fault is not sent again", async () => {
  const { send, asked } = partial((body) => (body === 3 ? "ours" : undefined));
  await expect(send(10)).rejects.toMatchObject({ code: "queue_unavailable", data: { failed: 1 } });
  expect(asked).toHaveLength(1);
});
