import { eq, isNotNull, notInArray } from "drizzle-orm";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { ScoutId } from "../../../events/ids.ts";
import { type KnownScout, knownScouts, type OffScout } from "../schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** A scout as the cloud lists it. */
export interface ListedScout {
  readonly id: ScoutId;
  readonly name: string;
  readonly sourceType: string;
  readonly disabledCode: ErrorCode | null;
}

/** What this device knows of its person's scouts. */
export interface KnownScoutTable {
  list(): KnownScout[];
  find(id: ScoutId): KnownScout | undefined;
  /** Those that are switched off, longest first. */
  off(): OffScout[];
  /**
   * The cloud's whole list: it replaces what was known; since when a scout is off stays. One that is missing there without this
   * device having heard of its removal is {@link vanished}, until it is listed again, as another of its name, or forgotten.
   */
  replace(scouts: readonly ListedScout[]): void;
  /** A scout was switched off. */
  switchedOff(id: ScoutId, code: ErrorCode, sinceMs: number): void;
  /** The cloud does not know a scout any more, and nobody has said why; one that was being removed is forgotten. */
  vanished(id: ScoutId): void;
  /** A scout works. Returns what was known of it when it had been off. */
  mended(id: ScoutId): KnownScout | undefined;
  forget(id: ScoutId): void;
}

/** The table over a database. @param now milliseconds since the epoch */
export function knownScoutTable(
  db: Database,
  now: () => number,
  transaction: <T>(work: () => T) => T,
): KnownScoutTable {
  const find = (id: ScoutId) => db.select().from(knownScouts).where(eq(knownScouts.id, id)).get();
  const put = (row: KnownScout) => {
    const { id: _, ...change } = row;
    db.insert(knownScouts).values(row).onConflictDoUpdate({ target: knownScouts.id, set: change }).run();
  };

  const forget = (id: ScoutId) => void db.delete(knownScouts).where(eq(knownScouts.id, id)).run();
  const vanished = (id: ScoutId) => {
    const known = find(id);
    if (known === undefined || known.offCode === vanishedCode) return;
    // Its person has asked for that.
    if (known.offCode === "scout_deleting") forget(id);
    else put({ ...known, offCode: vanishedCode, offSince: now() });
  };

  return {
    list: () => db.select().from(knownScouts).all(),
    find,
    off: () =>
      db
        .select()
        .from(knownScouts)
        .where(isNotNull(knownScouts.offCode))
        .orderBy(knownScouts.offSince)
        .all()
        .filter(isOff),

    replace: (scouts) =>
      transaction(() => {
        const ids = scouts.map(({ id }) => id);
        const missing = db.select().from(knownScouts).where(notInArray(knownScouts.id, ids)).all();
        for (const { id, name, sourceType } of missing) {
          const isAddedAnew = scouts.some((each) => each.name === name && each.sourceType === sourceType);
          if (isAddedAnew || name === null) forget(id);
          else vanished(id);
        }
        for (const { id, name, sourceType, disabledCode: offCode } of scouts) {
          const before = find(id);
          const same = before !== undefined && before.offCode === offCode;
          const offSince = offCode === null ? null : same ? before.offSince : now();
          put({ id, name: nameOf(id, name, before), sourceType, offCode, offSince });
        }
      }),

    switchedOff(id, offCode, offSince) {
      const { name = null, sourceType = null } = find(id) ?? {};
      put({ id, name, sourceType, offCode, offSince });
    },

    vanished,

    mended: (id) =>
      transaction(() => {
        const before = find(id);
        if (before === undefined || before.offCode === null) return undefined;
        put({ ...before, offCode: null, offSince: null });
        return before;
      }),

    forget,
  };
}

/** A home that cannot read what a scout is called says its id: then it stays what it was. */
const nameOf = (id: ScoutId, told: string, before: KnownScout | undefined): string =>
  told === id ? (before?.name ?? told) : told;

/** Of a scout that this device knows and the cloud does not. */
export const vanishedCode = "scout_not_found";

const isOff = (scout: KnownScout): scout is OffScout => scout.offCode !== null && scout.offSince !== null;
