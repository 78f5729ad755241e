import db from "dynalite/db/index.js";
import type { Graph, TableNode } from "../graph.ts";

type Index = db.Index;
type Table = db.Table;

/** Operations handed to LevelDB at once. */
const batchOperations = 1000;

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && "TableStatus" in value && "AttributeDefinitions" in value;

/** An index of the graph in DynamoDB's terms. */
export function indexDefinitions(node: TableNode): Index[] {
  return Object.entries(node.indexes).map(([name, index]) => ({
    IndexName: name,
    KeySchema: [
      { AttributeName: index.hashKey, KeyType: "HASH" },
      ...(index.rangeKey === undefined ? [] : [{ AttributeName: index.rangeKey, KeyType: "RANGE" as const }]),
    ],
    Projection: Array.isArray(index.projection)
      ? { ProjectionType: "INCLUDE", NonKeyAttributes: index.projection }
      : { ProjectionType: index.projection },
  }));
}

/**
 * Puts the tables of an earlier run in order, before the engine opens them.
 *
 * dynalite keeps items under `item-<table>~<key>` and index entries under `index-global~<table>~<index>~<key>`, and
 * writes the entries first, one by one, then the item. A kill in between leaves entries that contradict the item, so
 * every index is written anew from the items, with the engine's own rule for keys and projections. A table killed
 * while being created is made active, and indexes that the graph has changed are taken over.
 */
export async function repairTables(path: string, graph: Graph): Promise<void> {
  const store = db.create({ path }).db;
  await store.open();
  try {
    for (const node of Object.values(graph.tables)) {
      const table = await store.get(`table~${node.tableName}`);
      if (!isTable(table)) continue;
      table.TableStatus = "ACTIVE";
      table.AttributeDefinitions = attributeDefinitions(node);
      table.GlobalSecondaryIndexes = indexDefinitions(node).map((index) => ({
        ...table.GlobalSecondaryIndexes?.find((existing) => existing.IndexName === index.IndexName),
        ...index,
        IndexStatus: "ACTIVE",
        ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0, NumberOfDecreasesToday: 0 },
      }));
      await store.put(`table~${node.tableName}`, table);
      await rebuildIndexes(store, table);
    }
  } finally {
    await store.close();
  }
}

async function rebuildIndexes(store: ReturnType<typeof db.create>["db"], table: Table): Promise<void> {
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

/** Only attributes that are part of some key may be defined (DynamoDB CreateTable). */
export function attributeDefinitions(node: TableNode): { AttributeName: string; AttributeType: "S" | "N" | "B" }[] {
  const keys = [node, ...Object.values(node.indexes)].flatMap(({ hashKey, rangeKey }) => [
    hashKey,
    rangeKey ?? hashKey,
  ]);
  return [...new Set(keys)].map((name) => ({ AttributeName: name, AttributeType: node.attributes[name] ?? "S" }));
}
