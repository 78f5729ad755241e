import { and, count, eq, ne } from "drizzle-orm";
import type { ProposalId, ScoutId } from "../../../../events/ids.ts";
import { proposalTombstones, type StoredProposal, scoutSuggestions } from "../../schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";

const reason = "scout_removed";

/** All proposals of a scout, when that is removed. */
export interface OfScouts {
  /**
   * Closes what is pending of a scout that is removed, snoozed or not: nothing of it can be read, and no decision counts, any
   * more. What was decided stays, and cannot be opened again. Returns the rows that have changed.
   */
  closeWith(scout: ScoutId): StoredProposal[];
  /** How many were closed because their scout was removed. */
  closedWith(scout: ScoutId): number;
  /** How many are pending. */
  pendingOf(scout: ScoutId): number;
  /** Whether a proposal's scout is removed, as far as this device was told. */
  isOfRemoved(id: ProposalId): boolean;
}

/** Proposals by their scouts, over a database. @param now milliseconds since the epoch */
export function ofScouts(db: Database, now: () => number): OfScouts {
  const { id, scoutId, status, closedReason, round } = scoutSuggestions;
  const counted = (scout: ScoutId, which: Parameters<typeof and>[0]): number =>
    db
      .select({ n: count() })
      .from(scoutSuggestions)
      .where(and(eq(scoutId, scout), which))
      .get()?.n ?? 0;

  return {
    closeWith(scout) {
      const settled = db
        .select({ id, round })
        .from(scoutSuggestions)
        .where(and(eq(scoutId, scout), ne(status, "pending")))
        .all();
      // The decision may be undone, and is then closed as this says.
      for (const row of settled) {
        const set = { reason, round: row.round, outcome: null, closedAt: now() } as const;
        db.insert(proposalTombstones)
          .values({ id: row.id, ...set })
          .onConflictDoUpdate({ target: proposalTombstones.id, set })
          .run();
      }
      return db
        .update(scoutSuggestions)
        .set({ status: "expired", closedReason: reason, resolvedAt: now() })
        .where(and(eq(scoutId, scout), eq(status, "pending")))
        .returning()
        .all();
    },
    closedWith: (scout) => counted(scout, eq(closedReason, reason)),
    pendingOf: (scout) => counted(scout, eq(status, "pending")),
    isOfRemoved(proposal) {
      const [tombstone] = db.select().from(proposalTombstones).where(eq(proposalTombstones.id, proposal)).all();
      return tombstone?.reason === reason;
    },
  };
}
