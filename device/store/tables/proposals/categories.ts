import { and, asc, count, eq, inArray, isNull, lte, or, sql } from "drizzle-orm";
import type { ProposalId } from "../../../../events/ids.ts";
import type { Categorized } from "../../../categorize/draft.ts";
import { type StoredProposal, scoutSuggestions } from "../../schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";

/** What stage 2 works on, and what it has made of it. */
export interface Categories {
  /**
   * Claims pending proposals nobody has looked at, oldest first. The claim is one write, so that of several processes each
   * row has one:
   *
   *   A: claim ── read ── rules ────────────────── categorize: writes
   *   B:      claim: others       lease over: claim ─┴─ categorize: writes nothing, the row is done
   *
   * @param leaseMs after that long others may claim them: a process that was killed
   */
  claim(categorizer: string, limit: number, leaseMs: number): StoredProposal[];
  /** Writes what was made of a claimed proposal; false when the claim is another's by now, or the row is done. */
  categorize(id: ProposalId, categorizer: string, result: Categorized): boolean;
  /** Puts in place of what rules made what a later look has made; false when the row is not as it was then. */
  recategorize(id: ProposalId, before: Categorized["draft"], result: Categorized): boolean;
  /** Gives a claim back that was not used. */
  release(id: ProposalId, categorizer: string): void;
  /** Gives a claim back that came to nothing; the next try is not before `retryAt` (milliseconds since the epoch). */
  failed(id: ProposalId, categorizer: string, retryAt: number): void;
  /** How many pending proposals have no category yet, whoever looks at them or will. */
  uncategorized(): number;
  /** When the next of those that wait may be claimed, in milliseconds since the epoch. */
  nextClaimAt(): number | undefined;
  /** Proposals whose calendar part is about an event of that UID, whatever became of them. */
  ofEvent(uid: string): StoredProposal[];
  /** Whether a proposal of that address, or of that conversation, was approved. */
  wasApproved(from: {
    readonly address: string;
    readonly sourceType: string;
    readonly threadRef?: string | undefined;
  }): boolean;
}

/** What proposals are about, over a database. @param now milliseconds since the epoch */
export function categories(db: Database, now: () => number): Categories {
  const { id, category, status, categorizer, categorizeAfter, triagedAt, payload, metadata, sourceType } =
    scoutSuggestions;
  const isWaiting = () => and(eq(category, "unprocessed"), eq(status, "pending"));
  const isFree = () => and(isWaiting(), or(isNull(categorizeAfter), lte(categorizeAfter, now())));
  const written = ({ category, priority, draft }: Categorized) => ({ category, priority, payload: draft });

  return {
    claim(name, limit, leaseMs) {
      const free = db
        .select({ id })
        .from(scoutSuggestions)
        .where(isFree())
        .orderBy(asc(triagedAt), asc(id))
        .limit(limit);
      return db
        .update(scoutSuggestions)
        .set({ categorizer: name, categorizeAfter: now() + leaseMs })
        .where(inArray(id, free))
        .returning()
        .all()
        .toSorted((one, other) => one.triagedAt - other.triagedAt || (one.id < other.id ? -1 : 1));
    },

    categorize(proposal, name, result) {
      const row = db
        .update(scoutSuggestions)
        .set({ ...written(result), categorizeAfter: null })
        .where(and(eq(id, proposal), isWaiting(), eq(categorizer, name)))
        .returning({ id })
        .get();
      return row !== undefined;
    },

    recategorize(proposal, before, result) {
      const row = db
        .update(scoutSuggestions)
        .set(written(result))
        .where(and(eq(id, proposal), eq(status, "pending"), eq(payload, before)))
        .returning({ id })
        .get();
      return row !== undefined;
    },

    release(proposal, name) {
      db.update(scoutSuggestions)
        .set({ categorizer: null, categorizeAfter: null })
        .where(and(eq(id, proposal), isWaiting(), eq(categorizer, name)))
        .run();
    },

    failed(proposal, name, retryAt) {
      db.update(scoutSuggestions)
        .set({
          categorizer: null,
          categorizeAfter: retryAt,
          categorizeTries: sql`${scoutSuggestions.categorizeTries} + 1`,
        })
        .where(and(eq(id, proposal), isWaiting(), eq(categorizer, name)))
        .run();
    },

    uncategorized: () => db.select({ n: count() }).from(scoutSuggestions).where(isWaiting()).get()?.n ?? 0,

    nextClaimAt() {
      const [next] = db
        .select({ at: categorizeAfter })
        .from(scoutSuggestions)
        .where(isWaiting())
        .orderBy(asc(categorizeAfter))
        .limit(1)
        .all();
      return next === undefined ? undefined : (next.at ?? now());
    },

    ofEvent: (uid) => db.select().from(scoutSuggestions).where(sql`${payload} ->> '$.calendar.uid' = ${uid}`).all(),

    wasApproved({ address, sourceType: type, threadRef }) {
      const isOfSender =
        address === "" ? undefined : sql`lower(${metadata} ->> '$.sender.address') = ${address.toLowerCase()}`;
      const isOfThread =
        threadRef === undefined
          ? undefined
          : and(eq(sourceType, type), sql`${metadata} ->> '$.threadRef' = ${threadRef}`);
      if (isOfSender === undefined && isOfThread === undefined) return false;
      const found = db
        .select({ id })
        .from(scoutSuggestions)
        .where(and(eq(status, "approved"), or(isOfSender, isOfThread)))
        .limit(1)
        .all();
      return found.length > 0;
    },
  };
}
