import { eq } from "drizzle-orm";
import { cursors } from "../schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** Named positions in the cloud's lists. */
export interface CursorTable {
  get(name: string): { value: string; updatedAt: number } | undefined;
  set(name: string, value: string): void;
  clear(name: string): void;
}

/** The table over a database. @param now milliseconds since the epoch; when a value was set */
export function cursorTable(db: Database, now: () => number): CursorTable {
  return {
    get: (name) => db.select().from(cursors).where(eq(cursors.name, name)).get(),
    set(name, value) {
      const change = { value, updatedAt: now() };
      db.insert(cursors)
        .values({ name, ...change })
        .onConflictDoUpdate({ target: cursors.name, set: change })
        .run();
    },
    clear(name) {
      db.delete(cursors).where(eq(cursors.name, name)).run();
    },
  };
}
