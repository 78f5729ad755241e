import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";

const row = z.object({ value: z.string() });

export interface Meta {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

/** Named values of the mailbox that live across restarts. */
export function openMeta(database: DatabaseSync): Meta {
  const select = database.prepare("SELECT value FROM meta WHERE key = ?");
  const upsert = database.prepare(
    "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  return {
    get: (key) => {
      const found = select.get(key);
      return found === undefined ? undefined : row.parse(found).value;
    },
    set: (key, value) => {
      upsert.run(key, value);
    },
  };
}
