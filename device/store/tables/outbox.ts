import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, min, sql } from "drizzle-orm";
import { type ClientFrame, clientFrame } from "../../../events/frames/frames.ts";
import { socketLimits } from "../../../events/frames/limits.ts";
import { type FrameId, type ProposalId, proposalId, type ScoutId } from "../../../events/ids.ts";
import { DeviceError } from "../../errors.ts";
import { outbox } from "../schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** How long a refused frame is kept for `scouts status`. */
const refusedKeptMs = 30 * 24 * 3_600_000;

/** What was held back by a clock that was ahead by more than this waits for that clock no longer. */
const clockAheadMs = 60_000;

/** A frame that must reach the cloud, however often the connection or the process ends. */
export interface WaitingFrame {
  readonly id: FrameId;
  readonly subject: string | null;
  /** The proposal this frame acks and does nothing more: such frames may travel together in a `scout_proposals_ack`. */
  readonly ackOf: ProposalId | null;
  /** Whether it can still be withdrawn: {@link Outbox.sending} says so no more. */
  readonly isHeld: boolean;
  /** The frame as it goes over the socket. */
  readonly text: string;
}

/** Decisions of the person that the cloud has refused for one reason. */
export interface RefusedDecisions {
  /** The cloud's, or one that an older program kept. */
  readonly code: string;
  readonly decisions: number;
  /** When the first of them was refused, milliseconds since the epoch. */
  readonly since: number;
  /** What they are about, newest first. */
  readonly proposals: readonly ProposalId[];
}

/** Client frames until the cloud has accepted them. */
export interface Outbox {
  /**
   * Keeps a frame for sending. `subject` orders frames about the same thing; of frames with the same `dedupeKey` only
   * the first is kept while it waits; before `notBefore` (milliseconds since the epoch) it is not sent, and can be
   * withdrawn.
   * @throws DeviceError `frame_too_large` beyond API Gateway's 32 KB, which would end the connection (code 1009).
   */
  put(frame: ClientFrame, options?: { subject?: string; dedupeKey?: string; notBefore?: number }): void;
  /** The oldest frames whose time has come, at most `limit`. */
  waiting(limit: number): WaitingFrame[];
  /** Decisions that can still be withdrawn and are not to be sent yet, oldest first: of what, and until when. */
  heldDecisions(): { readonly proposalId: ProposalId; readonly notBefore: number }[];
  /** When the next frame that is held back may be sent, milliseconds since the epoch. */
  nextDue(): number | undefined;
  /**
   * Says of frames that were held back that they are about to be written to a socket. To be called before that.
   *
   *     the sender                 a person, maybe in another process
   *     waiting()  -> frame
   *                                withdraw() -> true: the row is gone
   *     sending()  -> false: nothing is written
   *
   * @returns false when one has been withdrawn meanwhile
   */
  sending(ids: readonly FrameId[]): boolean;
  /** Takes back what is held and not sent yet, by its subject. @returns whether there was something */
  withdraw(subject: string): boolean;
  /** Forgets frames the cloud has accepted. Returns those that were here. */
  accepted(ids: readonly FrameId[]): FrameId[];
  /** Sets frames aside that the cloud will never take. Returns those that were here. */
  refused(ids: readonly FrameId[], code: string): FrameId[];
  counts(): { waiting: number; refused: number };
  /** Decisions among what was refused, by code, most first. */
  refusedDecisions(): RefusedDecisions[];
  /** With which code the decision of a round was refused, if it was. */
  refusalOf(decided: { readonly id: ProposalId; readonly round: number }): string | undefined;
  /** Forgets what was refused of a proposal: the person has taken it back. */
  forgetRefused(id: ProposalId): void;
  /** Forgets all frames about a scout's proposals, waiting or refused. */
  forgetScout(id: ScoutId): void;
  /** Forgets what was refused long ago. */
  prune(): void;
}

const isHeld = and(isNotNull(outbox.notBefore), isNull(outbox.sentAt));
const decisionType = "scout_proposal_resolved" satisfies ClientFrame["type"];
const decisionTypes: readonly ClientFrame["type"][] = [decisionType, "scout_proposal_reopen"];
const isRefusedDecision = and(isNotNull(outbox.refusedAt), inArray(outbox.type, [...decisionTypes]));
const ackType: ClientFrame["type"] = "scout_proposal_ack";

/** What may be withdrawn, and is not to be sent yet. */
const isKeptBack = (nowMs: number) =>
  sql`(${isHeld} AND ${outbox.notBefore} > ${nowMs} AND ${outbox.createdAt} <= ${nowMs + clockAheadMs})`;

/** An ack of a later round travels alone: those that share a frame are of first rounds. */
function ackedIn(text: string): ProposalId | null {
  const { proposalId: id, round = 1 } = JSON.parse(text);
  return round === 1 ? proposalId.parse(id) : null;
}

/**
 * The table over a database. `put` throws the DeviceError `frame_too_large` for a frame of more than
 * `socketLimits.frameBytes`.
 */
export function outboxTable(db: Database, now: () => number): Outbox {
  const total = (refused: boolean) =>
    db
      .select({ n: count() })
      .from(outbox)
      .where(refused ? isNotNull(outbox.refusedAt) : isNull(outbox.refusedAt))
      .get()?.n ?? 0;

  return {
    put(frame, { subject, dedupeKey, notBefore } = {}) {
      const text = JSON.stringify(clientFrame.parse(frame));
      const bytes = Buffer.byteLength(text);
      if (bytes > socketLimits.frameBytes) throw new DeviceError("frame_too_large", { data: { bytes } });
      db.insert(outbox)
        .values({
          id: frame.id,
          type: frame.type,
          subject: subject ?? null,
          dedupeKey: dedupeKey ?? null,
          frame: text,
          createdAt: now(),
          notBefore: notBefore ?? null,
        })
        .onConflictDoNothing()
        .run();
    },

    waiting(limit) {
      return db
        .select({
          id: outbox.id,
          type: outbox.type,
          subject: outbox.subject,
          text: outbox.frame,
          isHeld: sql<number>`${isHeld}`,
        })
        .from(outbox)
        .where(and(isNull(outbox.refusedAt), sql`NOT ${isKeptBack(now())}`))
        .orderBy(asc(outbox.seq))
        .limit(limit)
        .all()
        .map(({ type, isHeld, ...frame }) => ({
          ...frame,
          isHeld: isHeld === 1,
          ackOf: type === ackType ? ackedIn(frame.text) : null,
        }));
    },

    heldDecisions() {
      const rows = db
        .select({ subject: outbox.subject, notBefore: outbox.notBefore })
        .from(outbox)
        .where(and(isKeptBack(now()), eq(outbox.type, decisionType)))
        .orderBy(asc(outbox.seq))
        .all();
      return rows.flatMap(({ subject, notBefore }) => {
        const { data } = proposalId.safeParse(subject);
        return data === undefined || notBefore === null ? [] : [{ proposalId: data, notBefore }];
      });
    },

    nextDue() {
      return (
        db
          .select({ at: min(outbox.notBefore) })
          .from(outbox)
          .where(isHeld)
          .get()?.at ?? undefined
      );
    },

    sending(ids) {
      db.update(outbox)
        .set({ sentAt: now() })
        .where(and(inArray(outbox.id, [...ids]), isHeld))
        .run();
      const there = db
        .select({ n: count() })
        .from(outbox)
        .where(inArray(outbox.id, [...ids]))
        .get();
      return there?.n === ids.length;
    },

    withdraw(subject) {
      const gone = db
        .delete(outbox)
        .where(and(eq(outbox.subject, subject), isHeld))
        .returning({ id: outbox.id })
        .all();
      return gone.length > 0;
    },

    accepted(ids) {
      const gone = db
        .delete(outbox)
        .where(inArray(outbox.id, [...ids]))
        .returning({ id: outbox.id })
        .all();
      return gone.map(({ id }) => id);
    },

    refused(ids, code) {
      const change = { refusedCode: code, refusedAt: now(), dedupeKey: null };
      const set = db
        .update(outbox)
        .set(change)
        .where(inArray(outbox.id, [...ids]))
        .returning({ id: outbox.id })
        .all();
      return set.map(({ id }) => id);
    },

    counts() {
      return { waiting: total(false), refused: total(true) };
    },

    refusedDecisions() {
      const rows = db
        .select({ subject: outbox.subject, code: outbox.refusedCode, at: outbox.refusedAt })
        .from(outbox)
        .where(isRefusedDecision)
        .orderBy(desc(outbox.seq))
        .all();
      const byCode = Map.groupBy(rows, ({ code }) => code ?? "internal");
      const refused = [...byCode].map(([code, own]): RefusedDecisions => {
        const proposals = [...new Set(own.flatMap(({ subject }) => proposalId.safeParse(subject).data ?? []))];
        return { code, decisions: own.length, since: Math.min(...own.map(({ at }) => at ?? 0)), proposals };
      });
      return refused.sort((a, b) => b.decisions - a.decisions);
    },

    refusalOf({ id, round }) {
      const ofRound = sql`${outbox.type} = 'scout_proposal_resolved' AND ${outbox.frame} ->> '$.round' = ${round}`;
      const ofIt = and(eq(outbox.subject, id), isNotNull(outbox.refusedAt), ofRound);
      const row = db.select().from(outbox).where(ofIt).orderBy(desc(outbox.seq)).limit(1).get();
      return row?.refusedCode ?? undefined;
    },

    forgetRefused(id) {
      db.delete(outbox)
        .where(and(eq(outbox.subject, id), isNotNull(outbox.refusedAt)))
        .run();
    },

    forgetScout(id) {
      // Not LIKE: an id may hold its wildcards.
      const begins = `${id}.`;
      db.delete(outbox).where(sql`substr(${outbox.subject}, 1, ${begins.length}) = ${begins}`).run();
    },

    prune() {
      db.delete(outbox)
        .where(and(isNotNull(outbox.refusedAt), lt(outbox.refusedAt, now() - refusedKeptMs)))
        .run();
    },
  };
}
