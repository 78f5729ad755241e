import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Principal, Principals } from "../../infra/local/engines/access.ts";
import { type Engine, startFauxqsEngine } from "../../infra/local/engines/fauxqs.ts";
import { startKmsFront } from "../../infra/local/engines/kms-front.ts";
import { guardMessaging } from "../../infra/local/engines/messaging/messaging-front.ts";
import { Meter } from "../../infra/local/engines/meter.ts";
import { RequestAuthorizer } from "../../infra/local/engines/request-authorizer.ts";
import { startTables, type TableEngine } from "../../infra/local/engines/tables.ts";
import { evaluate, type Graph } from "../../infra/local/graph.ts";
import { startKms } from "../../infra/standins/kms/start.ts";
import { fixtureConfig } from "../local/start-fixture.ts";
import { type Answered, type ForeignRequest, send } from "./foreign-requests.ts";

const json = "application/x-amz-json-1.0";
const account = "000000000000";
const arn = (name: string) => `arn:aws:sqs:us-east-1:${account}:${name}`;
const tableArn = (name: string) => `arn:aws:dynamodb:us-east-1:${account}:table/${name}`;
const keyArn = (name: string) => `arn:aws:kms:us-east-1:${account}:key/${name}`;

/** The engines with their fronts, and somebody who may do one thing on each. */
let folder: string;
let engine: Engine;
let tables: TableEngine;
let kmsPort: number;
let graph: Graph;
let clerk: Principal;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "doors-"));
  const principals = new Principals();
  clerk = principals.create("Clerk", [
    { actions: ["sqs:SendMessage"], resources: [arn("Open")] },
    { actions: ["s3:PutObject"], resources: ["arn:aws:s3:::open/*"] },
    { actions: ["dynamodb:Query", "dynamodb:BatchGetItem"], resources: [tableArn("Things")] },
    { actions: ["kms:Decrypt"], resources: [keyArn("open")] },
  ]);
  const door = new RequestAuthorizer(principals, new Meter(), undefined);
  engine = await startFauxqsEngine(folder, (app, objects, together) =>
    guardMessaging(app, objects, together, { door, principals }),
  );
  closing.push(() => engine.close());
  for (const name of ["Open", "Shut"]) engine.sqs.createQueue(name, queueUrl(name), arn(name), {});
  for (const name of ["open", "shut"]) engine.buckets.createBucket(name);
  engine.buckets.putObject("shut", "secret", Buffer.from("sealed"), "text/plain");
  graph = await evaluate({ configFile: fixtureConfig });
  tables = await startTables(join(folder, "dynamodb"), graph, door);
  closing.push(() => tables.close());
  const kms = await startKms({ stateDir: join(folder, "kms"), accessKeyId: "k" });
  closing.push(() => kms.close());
  const front = await startKmsFront(kms, graph, door);
  closing.push(() => front.close());
  kmsPort = Number(new URL(front.endpoint).port);
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await rm(folder, { recursive: true, force: true });
});

const queueUrl = (name: string) => `http://127.0.0.1:1/${account}/${name}`;
const signedBy = ({ accessKeyId }: Principal) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/x/aws4_request, SignedHeaders=host, Signature=0`,
  "x-amz-date": "20260101T000000Z",
});
const holds = (name: string) => [...(engine.sqs.getQueueByName(name)?.messages ?? [])].length;

const toQueue = (target: string, body: unknown, more: Record<string, string> = {}): ForeignRequest => ({
  method: "POST",
  headers: { "content-type": json, "x-amz-target": target, ...more },
  body: JSON.stringify(body),
});
const form = (fields: Record<string, string>): ForeignRequest => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: String(new URLSearchParams(fields)),
});
const message = { QueueUrl: queueUrl("Shut"), MessageBody: "m" };

/** Requests that no right in this run allows; each is sent with nobody's key and with the clerk's. */
const messaging: readonly (readonly [string, ForeignRequest])[] = [
  ["an operation without its prefix", toQueue("PurgeQueue", { QueueUrl: queueUrl("Shut") })],
  ["an operation of another service", toQueue("AmazonSNS.Publish", {})],
  ["an operation with the prefix twice", toQueue("AmazonSQS.AmazonSQS.PurgeQueue", { QueueUrl: queueUrl("Shut") })],
  ["an operation nobody needs", toQueue("AmazonSQS.PurgeQueue", { QueueUrl: queueUrl("Shut") })],
  ["a queue that is made", toQueue("AmazonSQS.CreateQueue", { QueueName: "New" })],
  ["a queue by its name only", toQueue("AmazonSQS.SendMessage", { QueueName: "Open", MessageBody: "m" })],
  ["another queue", toQueue("AmazonSQS.SendMessage", message)],
  [
    "another queue, with a slash behind it",
    toQueue("AmazonSQS.SendMessage", { ...message, QueueUrl: `${queueUrl("Shut")}/` }),
  ],
  [
    "another queue, by a region in the host",
    toQueue("AmazonSQS.SendMessage", { ...message, QueueUrl: `http://sqs.us-east-1.x/${account}/Shut` }),
  ],
  [
    "two operations",
    {
      ...toQueue("", message),
      headers: { "content-type": json, "x-amz-target": ["AmazonSQS.SendMessage", "PurgeQueue"] },
    },
  ],
  [
    "a message of another content type",
    toQueue("AmazonSQS.SendMessage", message, { "content-type": `text/plain; x=${json}` }),
  ],
  ["a message posted elsewhere", { ...toQueue("AmazonSQS.SendMessage", message), path: "/open" }],
  ["a message that is no object", { ...toQueue("AmazonSQS.SendMessage", message), body: "[]" }],
  ["a topic that is made", form({ Action: "CreateTopic", Name: "T" })],
  [
    "a topic that is subscribed to",
    form({ Action: "Subscribe", TopicArn: "arn:aws:sns:us-east-1:0:T", Protocol: "sqs", Endpoint: arn("Shut") }),
  ],
  [
    "a topic that is published to",
    form({ Action: "Publish", TopicArn: "arn:aws:sns:us-east-1:0:T", Message: "plain text" }),
  ],
  ["who one is", form({ Action: "GetCallerIdentity" })],
  ["the list of buckets", { path: "/" }],
  ["the health of the engine", { path: "/health" }],
  ["the developers' view of the queues", { path: "/_fauxqs/queues" }],
  ["the developers' view of a queue", { path: "/_fauxqs/queues/Shut" }],
  ["an object under any x-amz-target", { path: "/shut/secret", headers: { "x-amz-target": "x" } }],
  ["an object of another bucket", { path: "/shut/secret" }],
  ["an object over a path with dots", { method: "PUT", path: "/shut/../open/x", body: "o" }],
  ["an object over a path with encoded dots", { method: "PUT", path: "/shut/%2e%2e/open/x", body: "o" }],
  [
    "an object that copies another",
    { method: "PUT", path: "/open/x", headers: { "x-amz-copy-source": "/shut/secret" } },
  ],
  [
    "an object that is renamed",
    { method: "PUT", path: "/open/x?renameObject", headers: { "x-amz-rename-source": "/open/y" } },
  ],
  ["a part of an upload", { method: "PUT", path: "/open/x?uploadId=1&partNumber=1", body: "o" }],
  ["an upload in parts", { method: "POST", path: "/open/x?uploads" }],
  [
    "objects deleted by a post on a key",
    { method: "POST", path: "/open/x", body: "<Delete><Object><Key>x</Key></Object></Delete>" },
  ],
  [
    "objects deleted",
    { method: "POST", path: "/shut?delete", body: "<Delete><Object><Key>secret</Key></Object></Delete>" },
  ],
  ["a bucket's rules", { path: "/open?lifecycle" }],
  ["a bucket that is made", { method: "PUT", path: "/fresh" }],
  ["a bucket that is dropped", { method: "DELETE", path: "/open" }],
  ["a path that is no text", { path: "/open/%ff" }],
  ["a method nobody knows", { method: "PATCH", path: "/open/x" }],
];

const refusedBy = async (port: number, request: ForeignRequest): Promise<Answered[]> => {
  const { headers = {} } = request;
  return [await send(port, request), await send(port, { ...request, headers: { ...headers, ...signedBy(clerk) } })];
};

describe("D3: the engine of queues and objects does what is known and allowed, and nothing else", () => {
  it.each(messaging)("refuses %s", async (_, request) => {
    const before = { shut: holds("Shut"), open: holds("Open") };
    for (const { status, body } of await refusedBy(engine.port, request)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(body).not.toContain("sealed");
    }
    expect({ shut: holds("Shut"), open: holds("Open") }).toEqual(before);
    expect(engine.buckets.headObject("shut", "secret").etag).toBeTypeOf("string");
    expect(engine.buckets.hasBucket("fresh")).toBe(false);
    expect(() => engine.buckets.headObject("open", "x")).toThrow();
    expect(engine.sqs.getQueueByName("New")).toBeUndefined();
  });

  it("does what the key allows", async () => {
    const sent = toQueue("AmazonSQS.SendMessage", { QueueUrl: queueUrl("Open"), MessageBody: "m" }, signedBy(clerk));
    expect((await send(engine.port, sent)).status).toBe(200);
    const put = { method: "PUT", path: "/open/fine?x-id=PutObject", headers: signedBy(clerk), body: "o" };
    expect((await send(engine.port, put)).status).toBe(200);
  });
});

const query = { KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: "p" } } };
const toTable = (target: string, body: unknown, more: Partial<ForeignRequest> = {}): ForeignRequest => ({
  method: "POST",
  headers: { "content-type": json, "x-amz-target": target },
  body: JSON.stringify(body),
  ...more,
});
const onTables: readonly (readonly [string, ForeignRequest])[] = [
  ["another table", toTable("DynamoDB_20120810.Query", { TableName: "Other", ...query })],
  [
    "another table beside an empty batch",
    toTable("DynamoDB_20120810.Query", { TableName: "Other", RequestItems: {}, ...query }),
  ],
  [
    "another table beside an allowed batch",
    toTable("DynamoDB_20120810.Query", { TableName: "Other", RequestItems: { Things: {} }, ...query }),
  ],
  ["an empty batch", toTable("DynamoDB_20120810.BatchGetItem", { RequestItems: {} })],
  [
    "a batch with another table",
    toTable("DynamoDB_20120810.BatchGetItem", { RequestItems: { Things: { Keys: [] }, Other: { Keys: [] } } }),
  ],
  ["a transaction", toTable("DynamoDB_20120810.TransactGetItems", { TransactItems: [] })],
  ["the list of tables", toTable("DynamoDB_20120810.ListTables", {})],
  ["a table that is dropped", toTable("DynamoDB_20120810.DeleteTable", { TableName: "Things" })],
  ["an operation without its prefix", toTable("Query", { TableName: "Things", ...query })],
  ["an older version of the API", toTable("DynamoDB_20111205.Query", { TableName: "Things" })],
  [
    "another content type",
    toTable(
      "DynamoDB_20120810.Query",
      { TableName: "Things", ...query },
      { headers: { "content-type": "application/json", "x-amz-target": "DynamoDB_20120810.Query" } },
    ),
  ],
  ["a table that has no name", toTable("DynamoDB_20120810.Query", { TableName: ["Things"], ...query })],
  ["nothing at all", { method: "GET" }],
];

describe("D3: the engine of tables", () => {
  it.each(onTables)("refuses %s", async (_, request) => {
    for (const { status, body } of await refusedBy(Number(new URL(tables.endpoint).port), request)) {
      expect(status).toBe(400);
      expect(body).toMatch(/AccessDenied|UnrecognizedClient/);
    }
  });

  it("does what the key allows, and shares it with no page", async () => {
    const port = Number(new URL(tables.endpoint).port);
    const asked = toTable("DynamoDB_20120810.Query", { TableName: "Things", ...query });
    const origin = `http://127.0.0.1:${port}`;
    const answer = await send(port, { ...asked, headers: { ...asked.headers, ...signedBy(clerk), origin } });
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('"Count":0') });
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });
});

describe("D3: the way to the keys", () => {
  it.each([
    ["an operation without its prefix", { "x-amz-target": "Decrypt" }, {}],
    ["an operation of another service", { "x-amz-target": "X.Decrypt" }, {}],
    ["an operation nobody needs", { "x-amz-target": "TrentService.ScheduleKeyDeletion" }, {}],
    ["another operation on the key", { "x-amz-target": "TrentService.Encrypt" }, { KeyId: "open", Plaintext: "aGk=" }],
    ["another key", { "x-amz-target": "TrentService.Decrypt" }, { KeyId: "shut", CiphertextBlob: "aGk=" }],
    ["a key of no name", { "x-amz-target": "TrentService.Decrypt" }, { KeyId: 1, CiphertextBlob: "aGk=" }],
  ])("refuses %s", async (_, headers, body) => {
    for (const answer of await refusedBy(kmsPort, { method: "POST", headers, body: JSON.stringify(body) })) {
      expect(answer.status).toBe(400);
      expect(answer.body).toMatch(/AccessDenied|UnrecognizedClient/);
    }
  });
});
