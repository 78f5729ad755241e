import { asc, desc, eq, max } from "drizzle-orm";
import type { EntityKind } from "../../../work/entities.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import { type EntityChange, entityChanges } from "../../work-schema.ts";

/** The history of every entity, also of those that are gone. */
export interface EntityChangeTable {
  add(change: Omit<EntityChange, "number" | "changedAt">): EntityChange;
  find(number: number): EntityChange | undefined;
  /** Of one entity, oldest first. */
  of(entityId: string): EntityChange[];
  /** The number of the newest of one entity; 0 where there is none. */
  latestOf(entityId: string): number;
  /** The number of the newest there is, of whatever it is; 0 where there is none. */
  newest(): number;
  /** Of every entity of a kind, newest first. */
  latest(kind: EntityKind, limit: number): EntityChange[];
  /** Forgets what was done to an entity: nothing of it can be brought back. */
  forget(entityId: string): void;
}

/**
 * The table over a database. Changes are numbered in the order in which they were made.
 *
 * @param now milliseconds since the epoch
 */
export function entityChangeTable(db: Database, now: () => number): EntityChangeTable {
  const { number, kind, entityId } = entityChanges;
  return {
    add: (change) =>
      db
        .insert(entityChanges)
        .values({ ...change, changedAt: now() })
        .returning()
        .get(),
    find: (wanted) => db.select().from(entityChanges).where(eq(number, wanted)).get(),
    of: (wanted) => db.select().from(entityChanges).where(eq(entityId, wanted)).orderBy(asc(number)).all(),
    latestOf: (wanted) =>
      db
        .select({ latest: max(number) })
        .from(entityChanges)
        .where(eq(entityId, wanted))
        .get()?.latest ?? 0,
    newest: () =>
      db
        .select({ newest: max(number) })
        .from(entityChanges)
        .get()?.newest ?? 0,
    latest: (wanted, limit) =>
      db.select().from(entityChanges).where(eq(kind, wanted)).orderBy(desc(number)).limit(limit).all(),
    forget: (wanted) => void db.delete(entityChanges).where(eq(entityId, wanted)).run(),
  };
}
