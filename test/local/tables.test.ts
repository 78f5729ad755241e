import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  BatchWriteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import db from "dynalite/db/index.js";
import { describe, expect, it } from "vitest";
import type { Home } from "../../infra/local/home.ts";
import { startFixture } from "./start-fixture.ts";

const clientOf = ({ operator: { region, credentials, endpoints } }: Home) =>
  new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb });

async function byKind(home: Home, IndexName: string, kind: string) {
  const client = clientOf(home);
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: "Things",
      IndexName,
      KeyConditionExpression: "kind = :k",
      ExpressionAttributeValues: { ":k": { S: kind } },
    }),
  );
  client.destroy();
  return Items;
}

describe("tables", () => {
  it("have the keys, indexes and projections of the graph, and outlive the process", async () => {
    await using fixture = await startFixture();
    const client = clientOf(fixture.home);
    const Item = {
      pk: { S: "p" },
      sk: { S: "s" },
      kind: { S: "k" },
      at: { N: "7" },
      label: { S: "l" },
      body: { S: "b" },
    };
    await client.send(new PutItemCommand({ TableName: "Things", Item }));
    client.destroy();
    await fixture.restart();
    expect(await byKind(fixture.home, "kinds", "k")).toEqual([
      { pk: { S: "p" }, sk: { S: "s" }, kind: { S: "k" }, at: { N: "7" } },
    ]);
    expect(await byKind(fixture.home, "labels", "k")).toEqual([
      { pk: { S: "p" }, sk: { S: "s" }, kind: { S: "k" }, label: { S: "l" } },
    ]);
  });

  it("P2: index entries agree with their items again after a kill between the two writes", async () => {
    await using fixture = await startFixture();
    const client = clientOf(fixture.home);
    for (const n of [1, 2, 3]) {
      const Item = { pk: { S: `p${n}` }, sk: { S: "s" }, kind: { S: "old" }, at: { N: String(n) } };
      await client.send(new PutItemCommand({ TableName: "Things", Item }));
    }
    client.destroy();
    await fixture.home.stop();

    // What a kill leaves: no seal, the entry of item 1 deleted, item 2 moved in the index only, an entry of nothing.
    await rm(join(fixture.dataDir, "cloud", "seal.json"));
    const store = db.create({ path: join(fixture.dataDir, "cloud", "dynamodb") }).db;
    await store.open();
    const entries: [string, db.Item][] = [];
    for await (const entry of store.iterator({
      gte: "index-global~Things~kinds~",
      lt: "index-global~Things~kinds~\xff",
    })) {
      entries.push(entry);
    }
    expect(entries).toHaveLength(3);
    const [first, second] = entries;
    await store.batch([
      { type: "del", key: first?.[0] ?? "" },
      { type: "put", key: `${second?.[0]}x`, value: { ...second?.[1], kind: { S: "new" } } },
    ]);
    await store.close();

    await fixture.restart();
    expect((await byKind(fixture.home, "kinds", "old")).map(({ pk }) => pk?.S)).toEqual(["p1", "p2", "p3"]);
    expect(await byKind(fixture.home, "kinds", "new")).toEqual([]);
  });

  it("rebuild many items' entries completely, and writes afterwards find them", async () => {
    await using fixture = await startFixture();
    const client = clientOf(fixture.home);
    const total = 2500; // more than two batches of the rebuild
    for (let start = 0; start < total; start += 25) {
      const things = Array.from({ length: 25 }, (_, n) => ({
        PutRequest: {
          Item: { pk: { S: `p${start + n}` }, sk: { S: "s" }, kind: { S: "k" }, at: { N: String(start + n) } },
        },
      }));
      const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: { Things: things } }));
      expect(UnprocessedItems).toEqual({});
    }
    client.destroy();
    await fixture.restart();
    expect(await byKind(fixture.home, "kinds", "k")).toHaveLength(total);
    const after = clientOf(fixture.home);
    await after.send(
      new UpdateItemCommand({
        TableName: "Things",
        Key: { pk: { S: "p7" }, sk: { S: "s" } },
        UpdateExpression: "SET kind = :n",
        ExpressionAttributeValues: { ":n": { S: "moved" } },
      }),
    );
    after.destroy();
    expect(await byKind(fixture.home, "kinds", "k")).toHaveLength(total - 1);
    expect(await byKind(fixture.home, "kinds", "moved")).toHaveLength(1);
  });
});

describe("a table store", () => {
  it("is empty for a new data folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tables-"));
    await using fixture = await startFixture({ dataDir: folder });
    expect(await byKind(fixture.home, "kinds", "k")).toEqual([]);
    await fixture.home.stop();
    await rm(folder, { recursive: true });
  });
});
