import { and, count, desc, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Proposal } from "../../../events/frames.ts";
import type { ProposalId } from "../../../events/ids.ts";
import { DeviceError } from "../../errors.ts";
import type { EntityKind } from "../../work/entities.ts";
import {
  type ClosedReason,
  type ProposalStatus,
  proposalStatuses,
  proposalTombstones,
  type StoredProposal,
  scoutSuggestions,
} from "../schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** Closings that are final wherever they overtake the proposal; after the others the cloud may rightly deliver it again. */
const finalReasons: readonly ClosedReason[] = ["resolved_elsewhere", "gone"];

export interface ProposalFilter {
  readonly statuses?: readonly ProposalStatus[];
  /** The source's own id of the item. */
  readonly sourceMsgRef?: string;
  readonly scoutId?: string;
  readonly reasonCode?: string;
  /**
   * Folded words, each of which is in subject, sender, snippet or reason. Only the newest {@link mostSearched} are looked
   * through.
   */
  readonly words?: readonly string[];
  readonly limit?: number;
  /** How many of the newest are passed over. */
  readonly offset?: number;
}

/** How many rows a search reads at most, so that it ends in time whatever a device holds: 20,000 take a tenth of a second. */
export const mostSearched = 20_000;

/** How many proposals a list has, by what it may be narrowed to. */
export interface ProposalFacets {
  readonly total: number;
  readonly scouts: Readonly<Record<string, number>>;
  readonly reasons: Readonly<Record<string, number>>;
  /** How many older ones a search did not look through. */
  readonly notSearched: number;
}

/** How many proposals of a conversation this device has seen, by what became of them. */
export type ThreadCounts = Readonly<Record<ProposalStatus, number>>;

/** A conversation in a list, by the proposal that stands for it: the newest that is pending, else the newest. */
export interface Thread {
  readonly shown: StoredProposal;
  /** Proposals of it that the filter lets through. */
  readonly proposals: number;
  readonly pending: number;
}

/** The proposals of one device. Every method is one transaction unless it runs inside another. */
export interface ProposalTable {
  /** Stores what is new and leaves what is known untouched. Returns the rows that were new. */
  add(proposals: readonly Proposal[]): StoredProposal[];
  /** Newest first. */
  list(filter?: ProposalFilter): StoredProposal[];
  /**
   * The same, one row a conversation; `limit` counts conversations. What has no reference of one stands alone. Only what
   * this device has seen is known: a conversation may have mails no scout has proposed.
   */
  threads(filter?: ProposalFilter): Thread[];
  /** Every conversation of which there are several proposals, whatever became of them, by {@link threadKey}. */
  threadCounts(): ReadonlyMap<string, ThreadCounts>;
  /** The newest of a proposal's conversation, itself among them, and how many there are; whatever became of them. */
  conversation(of: StoredProposal, limit: number): { readonly rows: readonly StoredProposal[]; readonly total: number };
  find(id: ProposalId): StoredProposal | undefined;
  /** Two of those whose ref or id begins with a text, at most: enough to tell whether it names one. */
  beginning(text: string): StoredProposal[];
  counts(): Record<ProposalStatus, number>;
  /** How many the filter lets through, wherever a page of it begins. */
  count(filter: ProposalFilter): number;
  /** Of those the filter lets through, wherever a page of it begins. */
  facets(filter: ProposalFilter): ProposalFacets;
  /** @throws DeviceError `proposal_unknown`, `proposal_decided`. */
  decide(id: ProposalId, outcome: "approved" | "rejected"): StoredProposal;
  /** Says what an approved proposal has become. @throws DeviceError `proposal_unknown` */
  becomes(id: ProposalId, entity: { readonly type: EntityKind; readonly id: string }): StoredProposal;
  /**
   * A decision is taken back: pending again, or closed as the cloud has said meanwhile.
   * @throws DeviceError `proposal_unknown`
   */
  undecide(id: ProposalId): StoredProposal;
  /** Closes a pending proposal; one that was decided here stays as decided. Returns the row when it was closed now. */
  close(id: ProposalId, reason: ClosedReason): StoredProposal | undefined;
}

/** Names the conversation a proposal belongs to, where it belongs to one: references count within a source type. */
export function threadKey({ sourceType, metadata }: StoredProposal): string | undefined {
  return metadata?.threadRef === undefined ? undefined : `${sourceType} ${metadata.threadRef}`;
}

const threadRef = sql<string | null>`${scoutSuggestions.metadata} ->> '$.threadRef'`;
/** {@link threadKey} in SQL. An id holds no blank, so that none passes for a key. */
const threadOrId = sql<string>`coalesce(${scoutSuggestions.sourceType} || ' ' || (${threadRef}), ${scoutSuggestions.id})`;

const noCounts: ThreadCounts = { pending: 0, approved: 0, rejected: 0, expired: 0 };

export function proposalTable(db: Database, now: () => number): ProposalTable {
  const find = (id: ProposalId) => db.select().from(scoutSuggestions).where(eq(scoutSuggestions.id, id)).get();

  const settle = (id: ProposalId, change: { status: ProposalStatus; closedReason?: ClosedReason }) =>
    db
      .update(scoutSuggestions)
      .set({ ...change, resolvedAt: now() })
      .where(and(eq(scoutSuggestions.id, id), eq(scoutSuggestions.status, "pending")))
      .returning()
      .get();

  const passing = ({ statuses = proposalStatuses, sourceMsgRef, scoutId, reasonCode, words }: ProposalFilter) =>
    and(
      inArray(scoutSuggestions.status, [...statuses]),
      sourceMsgRef === undefined ? undefined : eq(scoutSuggestions.sourceMsgRef, sourceMsgRef),
      scoutId === undefined ? undefined : eq(scoutSuggestions.scoutId, scoutId),
      reasonCode === undefined ? undefined : eq(scoutSuggestions.reasonCode, reasonCode),
      words === undefined || words.length === 0 ? undefined : holding(words, statuses),
    );

  /** The bound comes first: SQLite asks the conditions of a row in their order. */
  const holding = (words: readonly string[], statuses: readonly ProposalStatus[]) => {
    const { status, triagedAt, rawSubject, rawSnippet, reason, metadata } = scoutSuggestions;
    const tooOld = db
      .select({ triagedAt })
      .from(scoutSuggestions)
      .where(inArray(status, [...statuses]))
      .orderBy(desc(triagedAt))
      .limit(1)
      .offset(mostSearched);
    const sender = sql`${metadata} ->> '$.sender.name', ${metadata} ->> '$.sender.address'`;
    return and(
      sql`${triagedAt} > coalesce((${tooOld}), -1)`,
      sql`holds_words(${words.join("\n")}, ${rawSubject}, ${rawSnippet}, ${reason}, ${sender}) = 1`,
    );
  };

  const countOf = (filter: ProposalFilter): number =>
    db.select({ n: count() }).from(scoutSuggestions).where(passing(filter)).get()?.n ?? 0;

  const newestFirst = [desc(scoutSuggestions.triagedAt), desc(scoutSuggestions.id)];

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

    list(filter = {}) {
      return db
        .select()
        .from(scoutSuggestions)
        .where(passing(filter))
        .orderBy(...newestFirst)
        .limit(filter.limit ?? -1)
        .offset(filter.offset ?? 0)
        .all();
    },

    threads(filter = {}) {
      const { id, status, triagedAt } = scoutSuggestions;
      const isPending = sql`${status} = 'pending'`;
      const ranked = db
        .select({
          id,
          proposals: sql<number>`count(*) OVER (PARTITION BY ${threadOrId})`.as("proposals"),
          pending: sql<number>`sum(${isPending}) OVER (PARTITION BY ${threadOrId})`.as("pending"),
          place:
            sql<number>`row_number() OVER (PARTITION BY ${threadOrId} ORDER BY ${isPending} DESC, ${triagedAt} DESC, ${id} DESC)`.as(
              "place",
            ),
        })
        .from(scoutSuggestions)
        .where(passing(filter))
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

    find,

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
        .where(passing(rest))
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

    decide(id, outcome) {
      const decided = settle(id, { status: outcome });
      if (decided !== undefined) return decided;
      const found = find(id);
      if (found === undefined) throw new DeviceError("proposal_unknown", { data: { id } });
      throw new DeviceError("proposal_decided", {
        sentence: `The proposal is ${found.status} already.`,
        data: { id, status: found.status },
      });
    },

    becomes(id, entity) {
      const row = db
        .update(scoutSuggestions)
        .set({ resolvedEntityType: entity.type, resolvedEntityId: entity.id })
        .where(eq(scoutSuggestions.id, id))
        .returning()
        .get();
      if (row === undefined) throw new DeviceError("proposal_unknown", { data: { id } });
      return row;
    },

    undecide(id) {
      const [tombstone] = db.select().from(proposalTombstones).where(eq(proposalTombstones.id, id)).all();
      const set =
        tombstone === undefined
          ? { status: "pending" as const, resolvedAt: null }
          : { status: "expired" as const, closedReason: tombstone.reason, resolvedAt: tombstone.closedAt };
      const row = db
        .update(scoutSuggestions)
        .set({ ...set, resolvedEntityType: null, resolvedEntityId: null })
        .where(eq(scoutSuggestions.id, id))
        .returning()
        .get();
      if (row === undefined) throw new DeviceError("proposal_unknown", { data: { id } });
      return row;
    },

    close(id, reason) {
      const closed = settle(id, { status: "expired", closedReason: reason });
      // Also of one that was decided here: the decision may be undone before the cloud is told of it.
      if (closed === undefined && finalReasons.includes(reason)) {
        db.insert(proposalTombstones).values({ id, reason, closedAt: now() }).onConflictDoNothing().run();
      }
      return closed;
    },
  };
}
