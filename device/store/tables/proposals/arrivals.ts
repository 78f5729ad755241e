import { eq, inArray } from "drizzle-orm";
import type { Proposal } from "../../../../events/proposals/proposal.ts";
import { proposalTombstones, type StoredProposal, scoutSuggestions } from "../../schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import { newRound } from "./decisions.ts";

/** Proposals as the cloud delivers them. */
export interface Arrivals {
  /**
   * Stores what is new, and opens again what is in a later round than here; all else that is known stays untouched.
   * Returns the rows that are there to be decided, and were not before, and those that come closed.
   */
  add(proposals: readonly Proposal[]): StoredProposal[];
}

/** What was made of it before it was judged counts no more. */
const unprocessed = {
  category: "unprocessed",
  payload: null,
  priority: "none",
  categorizer: null,
  categorizeAfter: null,
  categorizeTries: 0,
  modelAfter: null,
  modelReader: null,
  modelTries: 0,
} as const;

/** What the cloud says of proposals, over a database. One that was closed here is new again only in a later round. */
export function arrivals(db: Database, now: () => number): Arrivals {
  const closedBefore = (proposals: readonly Proposal[]) => {
    const ids = proposals.map((proposal) => proposal.id);
    const rows = db.select().from(proposalTombstones).where(inArray(proposalTombstones.id, ids)).all();
    return new Map(rows.map((row) => [row.id, row]));
  };

  const change = (row: StoredProposal, set: Partial<StoredProposal>): StoredProposal[] => {
    const changed = db.update(scoutSuggestions).set(set).where(eq(scoutSuggestions.id, row.id)).returning().get();
    return changed === undefined ? [] : [changed];
  };

  /** In a later round it is open again, with what can be read of it now; of an earlier one nothing is learned. */
  const inLaterRound = (row: StoredProposal, told: Proposal): StoredProposal[] =>
    change(row, {
      ...newRound,
      round: told.round,
      reasonCode: told.reasonCode,
      triagedAt: told.triagedAt,
      rawSubject: told.rawSubject ?? row.rawSubject,
      rawSnippet: told.rawSnippet ?? row.rawSnippet,
      reason: told.reason ?? row.reason,
      metadata: told.metadata ?? row.metadata,
    });

  /** Shown unjudged and judged since, it gets its reason; dismissed and taken back by its person, it is there again. */
  const judgedSince = (row: StoredProposal, told: Proposal): StoredProposal[] => {
    const isDismissed = row.status === "expired" && row.closedReason === "dismissed";
    const isUnjudged = row.status === "pending" && row.reasonCode === "unjudged";
    if (told.reasonCode === "unjudged" || !(isDismissed || isUnjudged)) return [];
    const { reason, reasonCode, triagedAt } = told;
    const metadata = told.metadata ?? row.metadata;
    const state = { ...unprocessed, status: "pending", closedReason: null, resolvedAt: null } as const;
    const changed = change(row, { reason, reasonCode, triagedAt, metadata, ...state });
    return isDismissed ? changed : [];
  };

  const knownOf = (proposals: readonly Proposal[]): StoredProposal[] => {
    const told = new Map<string, Proposal>();
    for (const each of proposals) if (each.round >= (told.get(each.id)?.round ?? 0)) told.set(each.id, each);
    const rows = db
      .select()
      .from(scoutSuggestions)
      .where(
        inArray(
          scoutSuggestions.id,
          [...told.values()].map(({ id }) => id),
        ),
      )
      .all();
    return rows.flatMap((row) => {
      const proposal = told.get(row.id);
      if (proposal === undefined || proposal.round < row.round) return [];
      return proposal.round > row.round ? inLaterRound(row, proposal) : judgedSince(row, proposal);
    });
  };

  return {
    add(proposals) {
      if (proposals.length === 0) return [];
      const tombstones = closedBefore(proposals);
      const rows = proposals.map((proposal) => {
        const tombstone = tombstones.get(proposal.id);
        if (tombstone === undefined || tombstone.round < proposal.round) return { ...proposal, proposedAt: now() };
        const { reason, round, outcome, closedAt } = tombstone;
        const closed = { status: "expired" as const, closedReason: reason, resolvedAt: closedAt };
        return { ...proposal, proposedAt: now(), round, decidedElsewhere: outcome, ...closed };
      });
      const fresh = db.insert(scoutSuggestions).values(rows).onConflictDoNothing().returning().all();
      return [...fresh, ...knownOf(proposals)];
    },
  };
}
