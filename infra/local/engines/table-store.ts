import { randomUUID } from "node:crypto";
import db from "dynalite/db/index.js";
import type { Graph, TableNode } from "../graph.ts";

/** Operations handed to LevelDB at once. */
const batchOperations = 1000;

const noThroughput = { ReadCapacityUnits: 0, WriteCapacityUnits: 0, NumberOfDecreasesToday: 0 };

/**
 * Puts the tables of the graph into the store, before the engine opens it.
 *
 * dynalite keeps table descriptions under `table~<name>`, items under `item-<table>~<key>` and index entries under
 * `index-global~<table>~<index>~<key>`, and writes the entries first, one by one, then the item. A kill in between
 * leaves entries that contradict the item, so every index is written anew from the items, with the engine's own rule
 * for keys and projections. Descriptions are written here too: a table of the engine's own making is "creating" for a
 * while, and one killed in that while stays so; and this way indexes that the graph has changed are taken over.
 */
export async function prepareTables(path: string, graph: Graph, nowMs: number): Promise<void> {
  const store = db.create({ path }).db;
  await store.open();
  try {
    for (const node of Object.values(graph.tables)) {
      const table = description(node, nowMs);
      await store.put(`table~${node.tableName}`, table);
      await rebuildIndexes(store, table);
    }
    await rewrite(store);
  } finally {
    await store.close();
  }
}

/** Has the files of a store that nobody uses hold what is in its tables, and nothing of what was deleted. */
export async function forgetDeleted(path: string): Promise<void> {
  const store = db.create({ path }).db;
  await store.open();
  try {
    await rewrite(store);
  } finally {
    await store.close();
  }
}

/**
 * LevelDB writes a deletion beside what it deletes and drops both when it compacts (doc/impl.md), for a small store
 * perhaps never. In DynamoDB what is deleted is gone, and the privacy of a session that has ended rests on its key.
 */
function rewrite(store: db.Database): Promise<void> {
  return store.compactRange("", "\xff");
}

async function rebuildIndexes(store: db.Database, table: db.Table): Promise<void> {
  const prefix = `index-global~${table.TableName}~`;
  await store.clear({ gte: prefix, lt: `${prefix}\xff` });
  const indexes = table.GlobalSecondaryIndexes ?? [];
  let operations: { type: "put"; key: string; value: unknown }[] = [];
  const items = `item-${table.TableName}~`;
  for await (const [, item] of store.iterator({ gte: items, lt: `${items}\xff` })) {
    for (const { index, key, item: entry } of db.getIndexActions(indexes, null, item, table).puts) {
      operations.push({ type: "put", key: `${prefix}${index}~${key}`, value: entry });
    }
    if (operations.length >= batchOperations) {
      await store.batch(operations);
      operations = [];
    }
  }
  if (operations.length > 0) await store.batch(operations);
}

const keySchema = ({ hashKey, rangeKey }: { hashKey: string; rangeKey?: string }): db.KeySchema => [
  { AttributeName: hashKey, KeyType: "HASH" },
  ...(rangeKey === undefined ? [] : [{ AttributeName: rangeKey, KeyType: "RANGE" as const }]),
];

/** The table as `DescribeTable` shows it. Only attributes that are part of some key are defined. */
function description(node: TableNode, nowMs: number): db.Table {
  const indexes = Object.entries(node.indexes);
  const keys = [node, ...Object.values(node.indexes)].flatMap((index) => keySchema(index));
  const keyAttributes = new Set(keys.map(({ AttributeName }) => AttributeName));
  return {
    TableName: node.tableName,
    TableArn: node.arn,
    TableId: randomUUID(),
    TableStatus: "ACTIVE",
    CreationDateTime: nowMs / 1000,
    ItemCount: 0,
    TableSizeBytes: 0,
    BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" },
    ProvisionedThroughput: noThroughput,
    AttributeDefinitions: [...keyAttributes].map((name) => ({
      AttributeName: name,
      AttributeType: node.attributes[name] ?? "S",
    })),
    KeySchema: keySchema(node),
    ...(indexes.length === 0
      ? {}
      : {
          GlobalSecondaryIndexes: indexes.map(([name, index]) => ({
            IndexName: name,
            IndexArn: `${node.arn}/index/${name}`,
            IndexStatus: "ACTIVE",
            IndexSizeBytes: 0,
            ItemCount: 0,
            KeySchema: keySchema(index),
            Projection: Array.isArray(index.projection)
              ? { ProjectionType: "INCLUDE" as const, NonKeyAttributes: index.projection }
              : { ProjectionType: index.projection },
            ProvisionedThroughput: noThroughput,
          })),
        }),
  };
}
