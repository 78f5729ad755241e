import { and, eq } from "drizzle-orm";
import type { Database } from "../../sqlite/sqlite.ts";
import { workFiles as table, type WorkFile } from "../../work-schema.ts";

/** What is known of the files of every folder the person has ever chosen for their work. */
export interface WorkFileTable {
  /** Of one folder, by name. */
  of(folder: string): Map<string, WorkFile>;
  put(folder: string, name: string, known: WorkFile): void;
  remove(folder: string, name: string): void;
}

/** The table over a database: what was written to, and read from, each file of a folder. */
export function workFileTable(db: Database): WorkFileTable {
  return {
    of: (folder) => {
      const rows = db.select().from(table).where(eq(table.folder, folder)).all();
      return new Map(rows.map(({ folder: _, name, ...known }) => [name, known]));
    },
    put(folder, name, known) {
      db.insert(table)
        .values({ folder, name, ...known })
        .onConflictDoUpdate({ target: [table.folder, table.name], set: known })
        .run();
    },
    remove(folder, name) {
      db.delete(table)
        .where(and(eq(table.folder, folder), eq(table.name, name)))
        .run();
    },
  };
}
