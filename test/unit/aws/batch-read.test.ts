import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { DynamoTable } from "../../../shared/aws/dynamo-table.ts";

const key = (name: string) => ({ pk: { S: name }, sk: { S: "row" } });

/** A table whose next answers to a batch read leave so many of its keys over, and what was waited for in between. */
function throttled(leftOver: readonly number[]) {
  const client = new DynamoDBClient({
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  const answers = [...leftOver];
  const asked: number[] = [];
  client.middlewareStack.add(
    () => async (step) => {
      const { Keys } = (step.input as { RequestItems: { rows: { Keys: ReturnType<typeof key>[] } } }).RequestItems.rows;
      asked.push(Keys.length);
      const left = answers.shift() ?? Keys.length;
      const Responses = { rows: Keys.slice(left) };
      const UnprocessedKeys = left === 0 ? {} : { rows: { Keys: Keys.slice(0, left) } };
      return { output: { $metadata: {}, Responses, UnprocessedKeys }, response: {} };
    },
    { step: "initialize", priority: "high" },
  );
  const pauses: number[] = [];
  const sleep = async (delayMs: number) => void pauses.push(delayMs);
  return { table: new DynamoTable("rows", { sleep, random: () => 0.5 }, client), asked, pauses };
}

const keys = ["a", "b", "c", "d"].map((pk) => ({ pk, sk: "row" }));

test("what a batch read leaves over is asked for again, after pauses that grow and are drawn by chance", async () => {
  const { table, asked, pauses } = throttled([3, 3, 3, 1, 0]);
  expect((await table.getMany(keys)).map(({ pk }) => pk).sort()).toEqual(["a", "b", "c", "d"]);
  expect(asked).toEqual([4, 3, 3, 3, 1]);
  expect(pauses).toEqual([25, 50, 100, 200]);
});

test("what is read at once is waited for by nobody", async () => {
  const { table, pauses } = throttled([0]);
  await table.getMany(keys);
  expect(pauses).toEqual([]);
});

test("a throttle that lasts is told as one", async () => {
  const { table, asked, pauses } = throttled([]);
  await expect(table.getMany(keys)).rejects.toMatchObject({ code: "storage_throttled", data: { unread: 4 } });
  expect(asked).toHaveLength(7);
  expect(pauses).toEqual([25, 50, 100, 200, 400, 800]);
});
