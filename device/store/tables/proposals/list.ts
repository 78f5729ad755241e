import { and, count, eq, gte, inArray, min, or, sql } from "drizzle-orm";
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
  readonly categories: Readonly<Record<string, number>>;
  readonly priorities: Readonly<Record<string, number>>;
  /** By id; what is in none is not counted. */
  readonly projects: Readonly<Record<string, number>>;
  /** How many older ones a search did not look through. */
  readonly notSearched: number;
}

/** Proposals that were closed because nobody had decided them in time. */
export interface ClosedUndecided {
  readonly proposals: number;
  /** When this device closed the first of them, in milliseconds since the epoch; null of none. */
  readonly since: number | null;
}

/** What a proposal's place in a list rests on, without what takes long to read. */
export interface ProposalPlace {
  readonly id: ProposalId;
  readonly category: StoredProposal["category"];
  readonly priority: StoredProposal["priority"];
  /** When it is due, or begins, as its draft says; null where it says neither. */
  readonly day: string | null;
}

/** What the device holds, to be looked at. */
export interface ProposalList {
  /** Newest first. */
  list(filter?: ProposalFilter): StoredProposal[];
  /** The same, as many as there are: for an order of one's own. */
  places(filter: ProposalFilter): ProposalPlace[];
  find(id: ProposalId): StoredProposal | undefined;
  /** Two of those whose ref or id begins with a text, at most: enough to tell whether it names one. */
  beginning(text: string): StoredProposal[];
  /** What was decided, here or elsewhere, since a time (milliseconds since the epoch), and in which round. */
  decidedSince(sinceMs: number): { readonly proposalId: ProposalId; readonly round: number }[];
  counts(): Record<ProposalStatus, number>;
  /** What came to its end since a time (milliseconds since the epoch) because nobody had decided it for thirty days. */
  closedUndecided(sinceMs: number): ClosedUndecided;
  /** How many the filter lets through, wherever a page of it begins. */
  count(filter: ProposalFilter): number;
  /** Of those the filter lets through, wherever a page of it begins. */
  facets(filter: ProposalFilter): ProposalFacets;
}

/** The proposals of the device, over a database. A list without a limit has all of them. */
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

    places(filter) {
      const { id, category, priority, payload } = scoutSuggestions;
      const day = sql<string | null>`coalesce(${payload} ->> '$.due', ${payload} ->> '$.start')`;
      return db
        .select({ id, category, priority, day })
        .from(scoutSuggestions)
        .where(passing(db, filter))
        .orderBy(...newestFirst)
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

    closedUndecided(sinceMs) {
      const { closedReason, resolvedAt } = scoutSuggestions;
      const found = db
        .select({ proposals: count(), since: min(resolvedAt) })
        .from(scoutSuggestions)
        .where(and(eq(closedReason, "expired"), gte(resolvedAt, sinceMs)))
        .get();
      return found ?? { proposals: 0, since: null };
    },

    count: countOf,

    facets({ scoutId, reasonCode, category, priority, projectId, ...rest }) {
      const chosen = [scoutId, reasonCode, category, priority, projectId];
      const columns = {
        scout: scoutSuggestions.scoutId,
        reason: scoutSuggestions.reasonCode,
        category: scoutSuggestions.category,
        priority: scoutSuggestions.priority,
        project: scoutSuggestions.projectId,
      };
      const groups = db
        .select({ ...columns, n: count() })
        .from(scoutSuggestions)
        .where(passing(db, rest))
        .groupBy(...Object.values(columns))
        .all();
      let total = 0;
      const counts: Record<string, number>[] = chosen.map(() => ({}));
      for (const { n, scout, reason, category: kind, priority: soon, project } of groups) {
        const values = [scout, reason, kind, soon, project];
        const others = values.flatMap((value, at) => (chosen[at] === undefined || chosen[at] === value ? [] : [at]));
        if (others.length === 0) total += n;
        // What a filter is set to narrows the others, and not itself.
        for (const [at, value] of values.entries()) {
          const ofIt = counts[at];
          if (ofIt !== undefined && value !== null && others.every((other) => other === at)) {
            ofIt[value] = (ofIt[value] ?? 0) + n;
          }
        }
      }
      const [scouts = {}, reasons = {}, categories = {}, priorities = {}, projects = {}] = counts;
      const isSearch = rest.words !== undefined && rest.words.length > 0;
      const notSearched = isSearch ? Math.max(0, countOf({ ...rest, words: [] }) - mostSearched) : 0;
      return { total, scouts, reasons, categories, priorities, projects, notSearched };
    },
  };
}
