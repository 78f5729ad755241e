import type { RequestListener } from "node:http";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { KMSClient } from "@aws-sdk/client-kms";
import { S3Client } from "@aws-sdk/client-s3";
import { SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import { objectKey } from "../../../events/payload.ts";
import { evaluate } from "../../../infra/local/graph.ts";
import { answeredInTime, longestWaits } from "../../../shared/aws/answered-in-time.ts";
import { DynamoScan } from "../../../shared/aws/dynamo-scan.ts";
import { DynamoTable } from "../../../shared/aws/dynamo-table.ts";
import { KmsKeyService } from "../../../shared/aws/kms-key-service.ts";
import { KmsKeyWrapper } from "../../../shared/aws/kms-key-wrapper.ts";
import { probeQueue } from "../../../shared/aws/queue-probe.ts";
import { SqsQueue } from "../../../shared/aws/sqs-queue.ts";
import { TransitBucket } from "../../../shared/aws/transit-bucket.ts";
import { systemRetries } from "../../../shared/ports/clock.ts";
import { serviceAt } from "../service-at.ts";

const nobody: RequestListener = () => {};

/** As the functions' own clients wait, but no longer than a test should. */
const settings = (endpoint: string, socketTimeout = 20) => ({
  endpoint,
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
  ...answeredInTime({ connectionTimeout: 60_000, socketTimeout }),
});

const key = { pk: "p", sk: "s" };
const object = objectKey.parse(`usr_${"0".repeat(26)}/ses_01KE5Q8600ESE4NYY1EVXDNQEA/01KE5Q8600ESE4NYY1EVXDNQEA`);
const bytes = new Uint8Array(8);
const table = (endpoint: string) => new DynamoTable("t", systemRetries, new DynamoDBClient(settings(endpoint)));
const bucket = (endpoint: string) =>
  new TransitBucket("b", new S3Client({ ...settings(endpoint), forcePathStyle: true }));
const keys = (endpoint: string) => new KMSClient(settings(endpoint));
const queue = (endpoint: string) => new SQSClient(settings(endpoint));

test.each<[what: string, ask: (endpoint: string) => Promise<unknown>, code: string]>([
  ["a row that is read", (at) => table(at).get(key), "storage_unavailable"],
  ["a row that is written", (at) => table(at).put(key), "storage_unavailable"],
  ["rows gone through", (at) => new DynamoScan("t", new DynamoDBClient(settings(at))).scan(), "storage_unavailable"],
  ["messages", (at) => new SqsQueue(`${at}/0/q`, queue(at)).send([{ body: {}, group: "g" }]), "queue_unavailable"],
  ["a look at a queue", (at) => probeQueue(`${at}/0/q`, queue(at)), "queue_unavailable"],
  ["a key ring that is opened", (at) => new KmsKeyService(keys(at)).decrypt(bytes, {}), "keys_unavailable"],
  ["a key ring that is made", (at) => new KmsKeyWrapper(keys(at)).encrypt("k", bytes, {}), "keys_unavailable"],
  ["an object that is read", (at) => bucket(at).get(object), "storage_unavailable"],
  ["an object that is written", (at) => bucket(at).put(object, bytes), "storage_unavailable"],
])("%s: a service that never answers is given up with a code, and keeps no function", async (_, ask, code) => {
  await expect(ask(await serviceAt(nobody))).rejects.toMatchObject({ code, cause: { name: "TimeoutError" } });
});

test("an object whose bytes stop coming is given up", async () => {
  const endpoint = await serviceAt((_, answer) => answer.writeHead(200, { "content-length": "9" }).write("half"));
  await expect(bucket(endpoint).get(object)).rejects.toMatchObject({ code: "storage_unavailable" });
});

test("P2: a request that was lost is made again, on another connection", async () => {
  const connections = new Set<unknown>();
  const endpoint = await serviceAt((request, answer) => {
    if (connections.add(request.socket).size > 1)
      answer.end(JSON.stringify({ Item: { pk: { S: "p" }, sk: { S: "s" } } }));
  });
  // Long enough for an answer that does come.
  const client = new DynamoDBClient(settings(endpoint, 1_000));
  expect(await new DynamoTable("t", systemRetries, client).get(key)).toEqual(key);
});

test("more requests at once than a client has connections wait for one another and not in vain", async () => {
  const held: (() => void)[] = [];
  const endpoint = await serviceAt((_, answer) => held.push(() => answer.end("{}")));
  const client = new DynamoDBClient(settings(endpoint, 60_000));
  const all = Promise.all(Array.from({ length: 120 }, () => new DynamoTable("t", systemRetries, client).get(key)));
  for (let answered = 0; answered < 120; answered += 1) {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    held.shift()?.();
  }
  expect(await all).toEqual(Array.from({ length: 120 }, () => undefined));
  expect(longestWaits).not.toHaveProperty("requestTimeout");
});

test("every function outlives an attempt that waits in vain, and a worker all of them, so that it can say what failed", async () => {
  const { functions } = await evaluate({ stage: "ci" });
  const at = settings("http://127.0.0.1:1");
  const clients = [new DynamoDBClient(at), new SQSClient(at), new KMSClient(at), new S3Client(at)];
  const attempts = Math.max(...(await Promise.all(clients.map((client) => client.config.maxAttempts()))));
  // The SDK begins to count for an answer after three seconds, and pauses between attempts.
  const attemptMs = Math.max(longestWaits.connectionTimeout, 3_000 + longestWaits.socketTimeout) + 200;
  const isWorker = ({ handler }: (typeof functions)[string]) => /functions\/(worker|cron)\//.test(handler);
  expect(Object.values(functions).filter(isWorker)).not.toEqual([]);
  for (const each of Object.values(functions)) {
    expect(each.timeoutSeconds * 1_000, each.handler).toBeGreaterThan(attemptMs * (isWorker(each) ? attempts : 1));
  }
});
