import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Principal, Principals } from "../../infra/local/engines/access.ts";
import { Meter } from "../../infra/local/engines/meter.ts";
import { SharedCounts } from "../../infra/local/engines/shared-counts.ts";
import { TablesAside } from "../../infra/local/engines/tables/tables-aside.ts";
import { evaluate, type Graph } from "../../infra/local/graph.ts";

let folder: string;
let graph: Graph;
let tables: TablesAside;
let meter: Meter;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "scouts-tables-"));
  graph = await evaluate();
  meter = new Meter();
  tables = new TablesAside(false, meter);
});

afterEach(async () => {
  await tables.close();
  await rm(folder, { recursive: true });
});

const tableName = () => graph.tables["Ledger"]?.tableName ?? "";
const key = { pk: { S: "USER#a" }, sk: { S: "PROFILE" } };

async function asked<T>(endpoint: string, by: Principal, ask: (client: DynamoDBClient) => Promise<T>): Promise<T> {
  const { accessKeyId, secretAccessKey } = by;
  const client = new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 1,
  });
  try {
    return await ask(client);
  } finally {
    client.destroy();
  }
}

test("what is written is there for the next run on the same folder, and only those are let in who were admitted", async () => {
  const principals = new Principals();
  const clerk = principals.create("Clerk", [{ actions: ["dynamodb:*"], resources: ["*"] }]);
  const stranger = new Principals().create("Stranger", "everything");
  const put = (client: DynamoDBClient) =>
    client.send(new PutItemCommand({ TableName: tableName(), Item: { ...key, tier: { S: "free" } } }));
  const endpoint = await tables.open(path.join(folder, "dynamodb"), graph, undefined);
  await expect(asked(endpoint, clerk, put)).rejects.toThrow("security token");
  await tables.admit(principals.all());
  await asked(endpoint, clerk, put);
  await expect(asked(endpoint, stranger, put)).rejects.toThrow("security token");
  expect(meter.counts(), "who is nobody is not billed").toMatchObject({
    services: { dynamodb: 1 },
    operations: { "dynamodb:PutItem": 1 },
  });
  await tables.close();
  tables = new TablesAside(false, new Meter());
  const again = await tables.open(path.join(folder, "dynamodb"), graph, undefined);
  await tables.admit(principals.all());
  const get = (client: DynamoDBClient) => client.send(new GetItemCommand({ TableName: tableName(), Key: key }));
  expect((await asked(again, clerk, get)).Item).toMatchObject({ tier: { S: "free" } });
});

test("a store that cannot be opened is the start's failure", async () => {
  await expect(tables.open("/dev/null/dynamodb", graph, undefined)).rejects.toThrow("ENOTDIR");
});

test("a hostile home's tables throttle, by its seed", async () => {
  const principals = new Principals();
  const clerk = principals.create("Clerk", [{ actions: ["dynamodb:*"], resources: ["*"] }]);
  const endpoint = await tables.open(path.join(folder, "dynamodb"), graph, { seed: 1, throttlePerRequest: 1 });
  await tables.admit(principals.all());
  const get = (client: DynamoDBClient) => client.send(new GetItemCommand({ TableName: tableName(), Key: key }));
  await expect(asked(endpoint, clerk, get)).rejects.toMatchObject({ name: "ThrottlingException" });
});

test("tables that were never opened can be closed", async () => {
  await tables.close();
  await tables.close();
});

test("one thread counts and another reads, by the same names in the same memory", () => {
  const read = new SharedCounts(["Get", "Put"]);
  const counting = new SharedCounts(["Get", "Put"], read.memory);
  for (const name of ["Put", "Put", "Drop"]) counting.count(name);
  expect(read.counts()).toEqual([["Put", 2]]);
});
