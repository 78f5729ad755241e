import { and, count, eq, gte, inArray, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { ProposalId } from "../../../../events/ids.ts";
import { type ProposalStatus, type StoredProposal, scoutSuggestions } from "../../schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import { mostSearched, newestFirst, type ProposalFilter, passing } from "./filter.ts";

/** How many proposals a list has, by what it may be narrowed to. */
export interface ProposalFacets {
  readonly total: number;
  readonly scouts: Readonly<Record<string, number>>;
  readonly reasons: Readonly<Record<string, number>>;
  /** How many older ones a search did not look through. */
  readonly notSearched: number;
}

/** What the device holds, to be looked at. */
export interface ProposalList {
  /** Newest first. */
  list(filter?: ProposalFilter): StoredProposal[];
  find(id: ProposalId): StoredProposal | undefined;
  /** Two of those whose ref or id begins with a text, at most: enough to tell whether it names one. */
  beginning(text: string): StoredProposal[];
  /** What was decided, here or elsewhere, since a time (milliseconds since the epoch), and in which round. */
  decidedSince(sinceMs: number): { readonly proposalId: ProposalId; readonly round: number }[];
  counts(): Record<ProposalStatus, number>;
  /** How many the filter lets through, wherever a page of it begins. */
  count(filter: ProposalFilter): number;
  /** Of those the filter lets through, wherever a page of it begins. */
  facets(filter: ProposalFilter): ProposalFacets;
}

export function proposalList(db: Database): ProposalList {
  const countOf = (filter: ProposalFilter): number =>
    db.select({ n: count() }).from(scoutSuggestions).where(passing(db, filter)).get()?.n ?? 0;

  return {
    list(filter = {}) {
      return db
        .select()
        .from(scoutSuggestions)
        .where(passing(db, filter))
        .orderBy(...newestFirst)
        .limit(filter.limit ?? -1)
        .offset(filter.offset ?? 0)
        .all();
    },

    find: (id) => db.select().from(scoutSuggestions).where(eq(scoutSuggestions.id, id)).get(),

    beginning(text) {
      // Not LIKE: refs may hold its wildcards.
      const begins = (column: SQLiteColumn) => sql`substr(${column}, 1, ${text.length}) = ${text}`;
      return db
        .select()
        .from(scoutSuggestions)
        .where(or(begins(scoutSuggestions.sourceMsgRef), begins(scoutSuggestions.id)))
        .limit(2)
        .all();
    },

    decidedSince(sinceMs) {
      const { id, round, status, closedReason, resolvedAt } = scoutSuggestions;
      return db
        .select({ proposalId: id, round })
        .from(scoutSuggestions)
        .where(
          and(
            or(inArray(status, ["approved", "rejected"]), eq(closedReason, "resolved_elsewhere")),
            gte(resolvedAt, sinceMs),
          ),
        )
        .all();
    },

    counts() {
      const rows = db
        .select({ status: scoutSuggestions.status, n: count() })
        .from(scoutSuggestions)
        .groupBy(scoutSuggestions.status)
        .all();
      const counts: Record<ProposalStatus, number> = { pending: 0, approved: 0, rejected: 0, expired: 0 };
      for (const row of rows) counts[row.status] = row.n;
      return counts;
    },

    count: countOf,

    facets({ scoutId, reasonCode, ...rest }) {
      const groups = db
        .select({ scout: scoutSuggestions.scoutId, reason: scoutSuggestions.reasonCode, n: count() })
        .from(scoutSuggestions)
        .where(passing(db, rest))
        .groupBy(scoutSuggestions.scoutId, scoutSuggestions.reasonCode)
        .all();
      let total = 0;
      const scouts: Record<string, number> = {};
      const reasons: Record<string, number> = {};
      for (const { scout, reason, n } of groups) {
        const isScout = scoutId === undefined || scoutId === scout;
        const isReason = reasonCode === undefined || reasonCode === reason;
        if (isScout && isReason) total += n;
        if (isReason) scouts[scout] = (scouts[scout] ?? 0) + n;
        if (isScout) reasons[reason] = (reasons[reason] ?? 0) + n;
      }
      const isSearch = rest.words !== undefined && rest.words.length > 0;
      const notSearched = isSearch ? Math.max(0, countOf({ ...rest, words: [] }) - mostSearched) : 0;
      return { total, scouts, reasons, notSearched };
    },
  };
}
