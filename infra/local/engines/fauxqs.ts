import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type BuildAppOptions, buildApp } from "fauxqs";
import { refuseForeignRequests } from "../../standins/own-requests.ts";
import { privateDatabase, privateFolder } from "../../standins/private-folder.ts";
import { Together } from "./messaging/together.ts";

type Stores = NonNullable<BuildAppOptions["stores"]>;
export type SqsStore = Stores["sqsStore"];
export type ObjectStore = Stores["s3Store"];
export type EngineQueue = SqsStore extends { allQueues(): Iterable<infer Queue> } ? Queue : never;
export type EngineMessage = Parameters<EngineQueue["enqueue"]>[0];
export type EngineApp = ReturnType<typeof buildApp>;
type Persistence = NonNullable<SqsStore["persistence"]>;

/** What the package does not export but `startFauxqs`, which listens on every interface, is made of. */
interface Internals {
  SqsStore: new () => SqsStore;
  SnsStore: new () => Stores["snsStore"];
  S3Store: new () => Stores["s3Store"];
  PersistenceManager: new (dataDir: string) => Persistence;
}

async function internals(): Promise<Internals> {
  const entry = import.meta.resolve("fauxqs");
  const [sqs, sns, s3, persistence] = await Promise.all(
    ["sqs/sqsStore.js", "sns/snsStore.js", "s3/s3Store.js", "persistence.js"].map(
      (file) => import(new URL(file, entry).href),
    ),
  );
  return { ...sqs, ...sns, ...s3, ...persistence };
}

/** Digest of message attributes as the engine computes it; needed where a message's attributes change. */
export async function attributeDigest(): Promise<(attributes: EngineMessage["messageAttributes"]) => string> {
  const { md5OfMessageAttributes } = await import(new URL("common/md5.js", import.meta.resolve("fauxqs")).href);
  return md5OfMessageAttributes;
}

/** Whether a bucket holds an object of that key. */
export function hasObject(objects: ObjectStore, bucket: string, key: string): boolean {
  try {
    objects.headObject(bucket, key);
    return true;
  } catch {
    return false; // the store throws for what it does not hold
  }
}

export interface Engine {
  app: EngineApp;
  together: Together;
  sqs: SqsStore;
  buckets: Stores["s3Store"];
  port: number;
  close(): Promise<void>;
}

const databaseIn = (dataDir: string) => join(dataDir, "fauxqs.db");

/**
 * Nobody works on a message after a restart: what was in flight is visible again at once, its receive count kept.
 * Done on the file, before the engine reads it.
 */
function returnInFlight(dataDir: string): void {
  const file = databaseIn(dataDir);
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file);
  try {
    database.exec("UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL");
  } finally {
    database.close();
  }
}

/**
 * Starts SQS and S3 (fauxqs) on 127.0.0.1, any free port, with what an earlier run left in `dataDir`.
 */
export async function startFauxqsEngine(
  dataDir: string,
  prepare: (app: EngineApp, objects: ObjectStore, together: Together) => void,
): Promise<Engine> {
  privateFolder(dataDir);
  returnInFlight(dataDir);
  const { SqsStore, SnsStore, S3Store, PersistenceManager } = await internals();
  const stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  const persistence = new PersistenceManager(dataDir);
  privateDatabase(databaseIn(dataDir));
  const database = databaseOf(persistence);
  // In WAL mode SQLite's NORMAL keeps every commit through a kill of the process and costs no fsync per message; only a
  // power cut can lose the last ones (sqlite.org/pragma.html#pragma_synchronous).
  database.exec("PRAGMA synchronous = NORMAL");
  // The engine commits every message by itself, which takes longer than all else it does with one.
  const together = new Together(database);
  persistence.load(stores.sqsStore, stores.snsStore, stores.s3Store);
  stores.sqsStore.persistence = persistence;
  stores.s3Store.persistence = persistence;
  for (const queue of stores.sqsStore.allQueues()) queue.persistence = persistence;
  const app = buildApp({ logger: false, stores });
  app.addHook("preClose", () => persistence.close());
  refuseForeignRequests(app.server);
  prepare(app, stores.s3Store, together);
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    app,
    together,
    sqs: stores.sqsStore,
    buckets: stores.s3Store,
    port: Number(new URL(address).port),
    close: () => app.close(),
  };
}

/** The engine keeps its handle private. */
function databaseOf(persistence: Persistence): DatabaseSync {
  const database: unknown = Object.getOwnPropertyDescriptor(persistence, "db")?.value;
  if (!(database instanceof DatabaseSync)) throw new Error("this version of fauxqs keeps its database elsewhere");
  return database;
}
