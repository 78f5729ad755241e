import { and, eq, inArray, or } from "drizzle-orm";
import type { Proposal } from "../../../../events/frames.ts";
import { proposalTombstones, type StoredProposal, scoutSuggestions } from "../../schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";

/** Proposals as the cloud delivers them. */
export interface Arrivals {
  /** Stores what is new and leaves what is known untouched. Returns the rows that were new. */
  add(proposals: readonly Proposal[]): StoredProposal[];
}

export function arrivals(db: Database, now: () => number): Arrivals {
  const closedBefore = (proposals: readonly Proposal[]) => {
    const ids = proposals.map((proposal) => proposal.id);
    const rows = db.select().from(proposalTombstones).where(inArray(proposalTombstones.id, ids)).all();
    return new Map(rows.map((row) => [row.id, row]));
  };

  /**
   * What is here already stays as it is, but for two: shown unjudged and judged since, it gets its reason; dismissed and
   * taken back by its person, it is there again.
   */
  const reopened = (proposals: readonly Proposal[]): StoredProposal[] => {
    const judged = new Map(
      proposals.filter(({ reasonCode }) => reasonCode !== "unjudged").map((each) => [each.id, each]),
    );
    const changed = or(eq(scoutSuggestions.reasonCode, "unjudged"), eq(scoutSuggestions.closedReason, "dismissed"));
    const known = db
      .select()
      .from(scoutSuggestions)
      .where(and(inArray(scoutSuggestions.id, [...judged.keys()]), changed))
      .all();
    return known.flatMap((row) => {
      const told = judged.get(row.id);
      const { reason = null, reasonCode = row.reasonCode, triagedAt = row.triagedAt } = told ?? {};
      const metadata = told?.metadata ?? row.metadata;
      const isDismissed = row.status === "expired" && row.closedReason === "dismissed";
      if (row.status !== "pending" && !isDismissed) return [];
      const set = {
        reason,
        reasonCode,
        triagedAt,
        metadata,
        status: "pending" as const,
        closedReason: null,
        resolvedAt: null,
      };
      const now = db.update(scoutSuggestions).set(set).where(eq(scoutSuggestions.id, row.id)).returning().get();
      return isDismissed && now !== undefined ? [now] : [];
    });
  };

  return {
    add(proposals) {
      if (proposals.length === 0) return [];
      const tombstones = closedBefore(proposals);
      const rows = proposals.map((proposal) => {
        const tombstone = tombstones.get(proposal.id);
        const state =
          tombstone === undefined
            ? {}
            : { status: "expired" as const, closedReason: tombstone.reason, resolvedAt: tombstone.closedAt };
        return { ...proposal, proposedAt: now(), ...state };
      });
      const fresh = db.insert(scoutSuggestions).values(rows).onConflictDoNothing().returning().all();
      return [...fresh, ...reopened(proposals)];
    },
  };
}
