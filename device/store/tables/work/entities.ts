import { asc, eq, sql } from "drizzle-orm";
import type { EntityKind, EntityTypes } from "../../../work/entities.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import { events, memory, notes, people, tasks } from "../../work-schema.ts";

/** The rows of one kind of work. Whoever changes one goes through device/work, which keeps the history. */
export interface EntityRows<Row> {
  /** In the order they were made. */
  list(): Row[];
  find(id: string): Row | undefined;
  /** Adds it, or takes the place of the one with its id. */
  put(row: Row): void;
  remove(id: string): void;
}

export interface EntityTables {
  readonly work: { readonly [K in EntityKind]: EntityRows<EntityTypes[K]> };
}

/** A table for each kind of entity, over one database; lists are in the order of ids. */
export const entityTables = (db: Database): EntityTables["work"] => ({
  task: {
    list: () => db.select().from(tasks).orderBy(asc(tasks.id)).all(),
    find: (id) =>
      db
        .select()
        .from(tasks)
        .where(eq(tasks.id, sql`${id}`))
        .get(),
    put: (row) => void db.insert(tasks).values(row).onConflictDoUpdate({ target: tasks.id, set: row }).run(),
    remove: (id) =>
      void db
        .delete(tasks)
        .where(eq(tasks.id, sql`${id}`))
        .run(),
  },
  event: {
    list: () => db.select().from(events).orderBy(asc(events.start), asc(events.id)).all(),
    find: (id) => db.select().from(events).where(eq(events.id, id)).get(),
    put: (row) => void db.insert(events).values(row).onConflictDoUpdate({ target: events.id, set: row }).run(),
    remove: (id) => void db.delete(events).where(eq(events.id, id)).run(),
  },
  note: {
    list: () => db.select().from(notes).orderBy(asc(notes.id)).all(),
    find: (id) => db.select().from(notes).where(eq(notes.id, id)).get(),
    put: (row) => void db.insert(notes).values(row).onConflictDoUpdate({ target: notes.id, set: row }).run(),
    remove: (id) => void db.delete(notes).where(eq(notes.id, id)).run(),
  },
  person: {
    list: () => db.select().from(people).orderBy(asc(people.name), asc(people.id)).all(),
    find: (id) => db.select().from(people).where(eq(people.id, id)).get(),
    put: (row) => void db.insert(people).values(row).onConflictDoUpdate({ target: people.id, set: row }).run(),
    remove: (id) => void db.delete(people).where(eq(people.id, id)).run(),
  },
  memory: {
    list: () => db.select().from(memory).orderBy(asc(memory.id)).all(),
    find: (id) => db.select().from(memory).where(eq(memory.id, id)).get(),
    put: (row) => void db.insert(memory).values(row).onConflictDoUpdate({ target: memory.id, set: row }).run(),
    remove: (id) => void db.delete(memory).where(eq(memory.id, id)).run(),
  },
});
