import { and, asc, count, eq, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { ProposalId } from "../../../../events/ids.ts";
import type { Categorized, ProposalDraft } from "../../../categorize/draft.ts";
import { type StoredProposal, scoutSuggestions } from "../../schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";

/** What a language model is to read after the rules have, and what came of it. */
export interface Readings {
  /** A model is to read it, as soon as one can be asked. */
  wantReading(id: ProposalId): void;
  /**
   * Claims the oldest pending proposal that is to be read and may be now. The claim is one write, so that of several
   * processes one has it; after `leaseMs` others may: a process that was killed.
   */
  claimReading(reader: string, leaseMs: number): StoredProposal | undefined;
  /**
   * Puts what a model made of a claimed proposal in the place of what it was made from; false when the claim is another's by
   * now, or the row is not as it was.
   */
  keepReading(id: ProposalId, reader: string, before: ProposalDraft, result: Categorized): boolean;
  /** Gives a claim back that was not used. */
  releaseReading(id: ProposalId, reader: string): void;
  /**
   * Gives a claim back that came to nothing. Rules' result stays, with what is said of that.
   *
   * @param put.until when it may next be claimed (milliseconds since the epoch); null for never
   * @param put.isTry whether it counts as one
   */
  putOffReading(
    id: ProposalId,
    reader: string,
    put: { readonly until: number | null; readonly isTry: boolean; readonly draft: ProposalDraft },
  ): void;
  /** Keeps what another device has had read, of the same round, where a model has not been heard here. */
  keepToldReading(id: ProposalId, round: number, result: Categorized): StoredProposal | undefined;
  /** How many pending proposals a model is to read, now or later, or is reading. */
  unread(): number;
  /** When the next of those that wait may be claimed, in milliseconds since the epoch. */
  nextReadingAt(): number | undefined;
}

/** Which proposals a model is to read, over a database. Only those that are pending, and were categorised before. */
export function readings(db: Database, now: () => number): Readings {
  const { id, category, status, modelAfter, modelReader, modelTries, payload, triagedAt, round } = scoutSuggestions;
  const isPending = () => eq(status, "pending");
  const isRead = () => ne(category, "unprocessed");
  const isDue = () => and(isPending(), isRead(), lte(modelAfter, now()));
  const isWanted = () => and(isPending(), isRead(), isNotNull(modelAfter));
  const isMine = (proposal: ProposalId, reader: string) => and(eq(id, proposal), isPending(), eq(modelReader, reader));

  return {
    wantReading(proposal) {
      db.update(scoutSuggestions)
        .set({ modelAfter: now(), modelReader: null, modelTries: 0 })
        .where(and(eq(id, proposal), isPending()))
        .run();
    },

    claimReading(reader, leaseMs) {
      const next = db.select({ id }).from(scoutSuggestions).where(isDue()).orderBy(asc(triagedAt), asc(id)).limit(1);
      return db
        .update(scoutSuggestions)
        .set({ modelReader: reader, modelAfter: now() + leaseMs })
        .where(eq(id, sql`(${next})`))
        .returning()
        .get();
    },

    keepReading(proposal, reader, before, { category: now, priority, draft }) {
      const row = db
        .update(scoutSuggestions)
        .set({ category: now, priority, payload: draft, modelAfter: null })
        .where(and(isMine(proposal, reader), eq(payload, before)))
        .returning({ id })
        .get();
      return row !== undefined;
    },

    releaseReading(proposal, reader) {
      db.update(scoutSuggestions).set({ modelReader: null, modelAfter: now() }).where(isMine(proposal, reader)).run();
    },

    putOffReading(proposal, reader, { until, isTry, draft }) {
      db.update(scoutSuggestions)
        .set({
          modelReader: null,
          modelAfter: until,
          payload: draft,
          ...(isTry && { modelTries: sql`${modelTries} + 1` }),
        })
        .where(isMine(proposal, reader))
        .run();
    },

    keepToldReading(proposal, ofRound, { category: told, priority, draft }) {
      const isByRules = or(isNull(payload), sql`${payload} ->> '$.by' = 'rules'`);
      return db
        .update(scoutSuggestions)
        .set({ category: told, priority, payload: draft, modelAfter: null, categorizeAfter: null })
        .where(and(eq(id, proposal), isPending(), eq(round, ofRound), isByRules))
        .returning()
        .get();
    },

    unread: () => db.select({ n: count() }).from(scoutSuggestions).where(isWanted()).get()?.n ?? 0,

    nextReadingAt() {
      const next = db
        .select({ at: sql<number | null>`min(${modelAfter})` })
        .from(scoutSuggestions)
        .where(and(isPending(), isRead()))
        .get();
      return next?.at ?? undefined;
    },
  };
}
