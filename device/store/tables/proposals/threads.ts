import { and, count, eq, isNotNull, sql } from "drizzle-orm";
import { type ProposalStatus, proposalStatuses, type StoredProposal, scoutSuggestions } from "../../schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import { newestFirst, type ProposalFilter, passing } from "./filter.ts";

/** How many proposals of a conversation this device has seen, by what became of them. */
export type ThreadCounts = Readonly<Record<ProposalStatus, number>>;

/** A conversation in a list, by the proposal that stands for it: the newest that is pending, else the newest. */
export interface Thread {
  readonly shown: StoredProposal;
  /** Proposals of it that the filter lets through. */
  readonly proposals: number;
  readonly pending: number;
}

/** Proposals by their conversation. Only what this device has seen is known: others may belong to it that no scout has proposed. */
export interface ThreadList {
  /** Newest first, one row a conversation; `limit` counts conversations. What has no reference of one stands alone. */
  threads(filter?: ProposalFilter): Thread[];
  /** Every conversation of which there are several proposals, whatever became of them, by {@link threadKey}. */
  threadCounts(): ReadonlyMap<string, ThreadCounts>;
  /** The newest of a proposal's conversation, itself among them, and how many there are; whatever became of them. */
  conversation(of: StoredProposal, limit: number): { readonly rows: readonly StoredProposal[]; readonly total: number };
}

/** Names the conversation a proposal belongs to, where it belongs to one: references count within a source type. */
export function threadKey({ sourceType, metadata }: StoredProposal): string | undefined {
  return metadata?.threadRef === undefined ? undefined : `${sourceType} ${metadata.threadRef}`;
}

const threadRef = sql<string | null>`${scoutSuggestions.metadata} ->> '$.threadRef'`;
/** {@link threadKey} in SQL. An id holds no blank, so that none passes for a key. */
const threadOrId = sql<string>`coalesce(${scoutSuggestions.sourceType} || ' ' || (${threadRef}), ${scoutSuggestions.id})`;

const noCounts: ThreadCounts = { pending: 0, approved: 0, rejected: 0, expired: 0 };

/** Proposals by conversations, over a database. One that no conversation is known of is one by itself. */
export function threadList(db: Database): ThreadList {
  return {
    threads(filter = {}) {
      const { id, status, writtenAt } = scoutSuggestions;
      const isPending = sql`${status} = 'pending'`;
      const ranked = db
        .select({
          id,
          proposals: sql<number>`count(*) OVER (PARTITION BY ${threadOrId})`.as("proposals"),
          pending: sql<number>`sum(${isPending}) OVER (PARTITION BY ${threadOrId})`.as("pending"),
          place:
            sql<number>`row_number() OVER (PARTITION BY ${threadOrId} ORDER BY ${isPending} DESC, ${writtenAt} DESC, ${id} DESC)`.as(
              "place",
            ),
        })
        .from(scoutSuggestions)
        .where(passing(db, filter))
        .as("ranked");
      return db
        .select({ shown: scoutSuggestions, proposals: ranked.proposals, pending: ranked.pending })
        .from(ranked)
        .innerJoin(scoutSuggestions, eq(ranked.id, id))
        .where(eq(ranked.place, 1))
        .orderBy(...newestFirst)
        .limit(filter.limit ?? -1)
        .all();
    },

    threadCounts() {
      const rows = db
        .select({ key: threadOrId, status: scoutSuggestions.status, n: count() })
        .from(scoutSuggestions)
        .where(isNotNull(threadRef))
        .groupBy(threadOrId, scoutSuggestions.status)
        .all();
      const counts = new Map<string, ThreadCounts>();
      for (const { key, status, n } of rows) counts.set(key, { ...(counts.get(key) ?? noCounts), [status]: n });
      for (const [key, each] of counts) {
        if (proposalStatuses.reduce((sum, status) => sum + each[status], 0) < 2) counts.delete(key);
      }
      return counts;
    },

    conversation(of, limit) {
      const ref = of.metadata?.threadRef;
      if (ref === undefined) return { rows: [of], total: 1 };
      const isOfIt = and(eq(scoutSuggestions.sourceType, of.sourceType), sql`${threadRef} = ${ref}`);
      const newest = db.select().from(scoutSuggestions).where(isOfIt);
      const [counted] = db.select({ n: count() }).from(scoutSuggestions).where(isOfIt).all();
      return {
        rows: newest
          .orderBy(...newestFirst)
          .limit(limit)
          .all(),
        total: counted?.n ?? 0,
      };
    },
  };
}
