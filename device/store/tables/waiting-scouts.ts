import { eq } from "drizzle-orm";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import { type ScoutHealth, waitingNewsMs } from "../../../events/health.ts";
import type { ScoutId } from "../../../events/ids.ts";
import { waitingScouts } from "../schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** Why scouts wait, for a person: one line for each cause, however many scouts wait for it. */
export interface WaitingCause {
  readonly code: ErrorCode;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Items known to wait; there may be more at their sources, where nobody looks meanwhile. */
  readonly items: number;
  readonly scouts: number;
}

/** Scouts that wait for the language model, as this device last heard. */
export interface WaitingScoutTable {
  /** What the cloud says of a scout: it waits, or does so no more. However often it is said, it is one row. */
  note(health: Pick<ScoutHealth, "scoutId" | "waiting">): void;
  /** A scout waits for nothing any more: it is removed. */
  forget(id: ScoutId): void;
  /** What has lasted for a day, longest first: before that most of it mends itself. */
  causes(): WaitingCause[];
}

/** The table over a database. @param now milliseconds since the epoch */
export function waitingScoutTable(db: Database, now: () => number): WaitingScoutTable {
  const forget = (id: ScoutId) => void db.delete(waitingScouts).where(eq(waitingScouts.scoutId, id)).run();

  return {
    forget,
    note({ scoutId, waiting }) {
      if (waiting === null) {
        forget(scoutId);
        return;
      }
      const row = { code: waiting.code, since: waiting.since, items: waiting.count };
      db.insert(waitingScouts)
        .values({ scoutId, ...row })
        .onConflictDoUpdate({ target: waitingScouts.scoutId, set: row })
        .run();
    },
    causes() {
      const lasting = db
        .select()
        .from(waitingScouts)
        .all()
        .filter(({ since }) => now() - since >= waitingNewsMs);
      const byCause = Map.groupBy(lasting, ({ code, since }) => `${since} ${code}`).values();
      const causes = [...byCause].flatMap((rows): WaitingCause[] => {
        const [first] = rows;
        if (!first) return [];
        const items = rows.reduce((sum, row) => sum + row.items, 0);
        return [{ code: first.code, since: first.since, items, scouts: rows.length }];
      });
      return causes.sort((a, b) => a.since - b.since);
    },
  };
}
