declare module "dynalite" {
  import type { Server } from "node:http";

  function dynalite(options: { path?: string; createTableMs?: number }): Server;
  export = dynalite;
}

declare module "dynalite/db/index.js" {
  namespace db {
    type KeySchema = { AttributeName: string; KeyType: "HASH" | "RANGE" }[];
    interface Index {
      IndexName: string;
      KeySchema: KeySchema;
      Projection: { ProjectionType: "ALL" | "KEYS_ONLY" | "INCLUDE"; NonKeyAttributes?: string[] };
      [field: string]: unknown;
    }
    interface Table {
      TableName: string;
      KeySchema: KeySchema;
      GlobalSecondaryIndexes?: Index[];
      [field: string]: unknown;
    }
    type Item = Record<string, Record<string, unknown>>;
    type Operation = { type: "put"; key: string; value: unknown } | { type: "del"; key: string };
    type Told<T> = (error: unknown, value?: T) => void;
    interface Database {
      open(): Promise<void>;
      getSync(key: string): unknown;
      put(key: string, value: unknown): Promise<void>;
      batch(operations: Operation[]): Promise<void>;
      batch(operations: Operation[], callback: Told<unknown>): void;
      clear(range: { gte: string; lt: string }): Promise<void>;
      compactRange(start: string, end: string): Promise<void>;
      iterator(range: { gte: string; lt: string }): AsyncIterable<[string, Item]>;
      close(): Promise<void>;
    }
    interface Store {
      db: Database;
      getTable(name: string, checkStatus: boolean | Told<Table>, callback?: Told<Table>): void;
    }
  }
  const db: {
    create(options: { path: string }): db.Store;
    getIndexActions(
      indexes: db.Index[],
      existing: db.Item | null,
      item: db.Item,
      table: db.Table,
    ): { puts: { index: string; key: string; item: db.Item }[] };
  };
  export = db;
}

declare module "dynalite/expressions" {
  interface ExpressionContext {
    readonly attrNames?: Readonly<Record<string, string>>;
    readonly attrVals?: Readonly<Record<string, unknown>>;
    readonly unusedAttrNames?: Record<string, true>;
    readonly unusedAttrVals?: Record<string, true>;
    readonly isKeyCondition?: boolean;
    readonly isReserved: (name: string) => boolean;
    readonly compare: (how: string, one: unknown, other: unknown) => boolean;
  }
  interface ExpressionParser {
    parse(text: string, options: { readonly context: ExpressionContext }): unknown;
  }
}

declare module "dynalite/db/conditionParser.js" {
  import type { ExpressionParser } from "dynalite/expressions";

  const parser: ExpressionParser;
  export = parser;
}

declare module "dynalite/db/updateParser.js" {
  import type { ExpressionParser } from "dynalite/expressions";

  const parser: ExpressionParser;
  export = parser;
}
