import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { privateDatabase } from "../private-folder.ts";
import { StandInError } from "../stand-in-error.ts";

const row = z.object({ id: z.string(), data: z.string(), published_at_ms: z.number() });

export interface PublishedMessage {
  readonly id: string;
  /** Base64. */
  readonly data: string;
  readonly publishedAtMs: number;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Messages that no subscriber has acknowledged yet, kept across restarts. */
export interface Outbox {
  add(data: string, publishedAtMs: number): PublishedMessage;
  acknowledge(id: string): void;
  all(): PublishedMessage[];
  close(): void;
}

/** First id; Pub/Sub's are decimal and about this long. */
const firstId = 2_070_443_601_311_540n;

/** Opens `<directory>/push.sqlite`. Throws {@link StandInError} `state_unusable`. */
export function openOutbox(directory: string): Outbox {
  const path = join(directory, "push.sqlite");
  const database = openDatabase(directory, path);
  const insert = database.prepare("INSERT INTO outbox (data, published_at_ms) VALUES (?, ?)");
  const remove = database.prepare("DELETE FROM outbox WHERE id = ?");
  const select = database.prepare(
    "SELECT CAST(id AS TEXT) AS id, data, published_at_ms FROM outbox ORDER BY outbox.id",
  );
  return {
    add: (data, publishedAtMs) => {
      const { lastInsertRowid } = insert.run(data, publishedAtMs);
      return { id: String(firstId + BigInt(lastInsertRowid)), data, publishedAtMs };
    },
    acknowledge: (id) => {
      remove.run(BigInt(id) - firstId);
    },
    all: () =>
      z
        .array(row)
        .parse(select.all())
        .map(({ id, data, published_at_ms }) => ({
          id: String(firstId + BigInt(id)),
          data,
          publishedAtMs: published_at_ms,
        })),
    close: () => database.close(),
  };
}

function openDatabase(directory: string, path: string): DatabaseSync {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const database = new DatabaseSync(path);
    privateDatabase(path);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;");
    database.exec(`CREATE TABLE IF NOT EXISTS outbox (
      id INTEGER PRIMARY KEY AUTOINCREMENT, data TEXT NOT NULL, published_at_ms INTEGER NOT NULL) STRICT`);
    return database;
  } catch (error) {
    throw new StandInError("state_unusable", `The push state ${path} cannot be opened.`, error);
  }
}
