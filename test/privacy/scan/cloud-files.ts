import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { logContent, tableEntries } from "./leveldb.ts";
import type { AtRest } from "./scanner.ts";

/** Everything under a folder: each file as it lies there, and what the engines' formats hide from a look at the bytes. */
export function* filesAtRest(folder: string): Generator<AtRest> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const place = relative(folder, path);
    yield { place: `name of ${place}`, data: place };
    if (!entry.isFile()) continue;
    const data = readFileSync(path);
    yield { place, data };
    yield* insideOf(path, place, data);
  }
}

function* insideOf(path: string, place: string, data: Buffer): Generator<AtRest> {
  const inLevelDb = basename(dirname(path)) === "dynamodb";
  if (path.endsWith(".ldb")) {
    for (const { key, value } of tableEntries(data)) {
      yield { place: `${place}: key`, data: key };
      yield { place: `${place}: value`, data: value };
    }
  } else if (inLevelDb && path.endsWith(".log")) yield { place: `${place}: records`, data: logContent(data) };
  else if (path.endsWith(".db")) yield* sqliteValues(path, place);
}

/** A long value lies in pieces on SQLite's overflow pages, so each is read whole. */
function* sqliteValues(path: string, place: string): Generator<AtRest> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) {
      for (const row of database.prepare(`SELECT * FROM "${String(name)}"`).all()) {
        for (const [column, value] of Object.entries(row)) {
          const data = value instanceof Uint8Array ? value : String(value);
          yield { place: `${place}: ${String(name)}.${column}`, data };
        }
      }
    }
  } finally {
    database.close();
  }
}
