import { and, eq, lt } from "drizzle-orm";
import type { ProposalId } from "../../../../events/ids.ts";
import type { DecisionOutcome } from "../../../../events/proposals/verdict.ts";
import { DeviceError } from "../../../errors.ts";
import { exactError } from "../../../exact-sentences.ts";
import type { EntityKind } from "../../../work/entities.ts";
import { type ClosedReason, proposalTombstones, type StoredProposal, scoutSuggestions } from "../../schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import type { ProposalList } from "./list.ts";

/** Closings that are final wherever they overtake the proposal; after the others the cloud may rightly deliver it again. */
const finalReasons: readonly ClosedReason[] = ["resolved_elsewhere", "gone"];

/** What a proposal has become, and by which change; none when it was there before. */
export interface Became {
  readonly type: EntityKind;
  readonly id: string;
  readonly change: number | null;
}

/** The end of a round, as the cloud tells of it. */
export interface Closing {
  readonly reason: ClosedReason;
  /** Absent: whatever round the device is in. */
  readonly round?: number | undefined;
  /** As what it was decided, where it was. */
  readonly outcome?: DecisionOutcome | undefined;
}

/** What the cloud says of a proposal instead of counting this device's decision of a round. */
export interface DecidedElsewhere {
  readonly id: ProposalId;
  /** The round this device has decided. */
  readonly decided: number;
  /** The round the proposal is in; it was decided as `outcome`, and is open without one. */
  readonly round: number;
  readonly outcome?: DecisionOutcome | undefined;
}

/** What becomes of proposals. */
export interface Decisions {
  /** @throws DeviceError `proposal_unknown`, `proposal_decided`. */
  decide(id: ProposalId, outcome: DecisionOutcome): StoredProposal;
  /** Says what a proposal has become; null when nothing any more. @throws DeviceError `proposal_unknown` */
  becomes(id: ProposalId, became: Became | null): StoredProposal;
  /**
   * A decision is taken back that the cloud has not counted: pending again, or closed as the cloud has said meanwhile.
   * @throws DeviceError `proposal_unknown`
   */
  undecide(id: ProposalId): StoredProposal;
  /**
   * Begins the next round of what was decided, here or elsewhere, or closed as nobody had decided it in time. What it has become stays known, and counts as there
   * before. @throws DeviceError `proposal_unknown`, `proposal_undecided`
   */
  reopen(id: ProposalId): StoredProposal;
  /** The decision of another device is let stand, of what was decided on both. @throws DeviceError `proposal_unknown` */
  yield(id: ProposalId): StoredProposal;
  /**
   * Ends a round of a proposal. One that was decided here stays as decided; where a later round was decided otherwise, or
   * something has become of it here, that is a conflict from then on. Returns the row when it has changed.
   */
  close(id: ProposalId, closing: Closing): StoredProposal | undefined;
  /** The cloud did not count a decision of this device. Returns the row when that is a conflict. */
  differs(heard: DecidedElsewhere): StoredProposal | undefined;
}

/** Whether it was decided here and elsewhere, and the person has to know of both. */
export const isInConflict = ({ status, decidedElsewhere }: StoredProposal): boolean =>
  isDecidedHere(status) && decidedElsewhere !== null;

const isDecidedHere = (status: StoredProposal["status"]): status is DecisionOutcome =>
  status === "approved" || status === "rejected";

/** The same decision twice is none; what has become of it may be there twice all the same. */
const isOtherTruth = ({ status, resolvedEntityId }: StoredProposal, outcome: DecisionOutcome): boolean =>
  status !== outcome || resolvedEntityId !== null;

/** What is decided of proposals, over a database. @param find one proposal, wherever it stands in a list */
export function decisions(db: Database, now: () => number, find: ProposalList["find"]): Decisions {
  const known = (id: ProposalId): StoredProposal => {
    const found = find(id);
    if (found === undefined) throw new DeviceError("proposal_unknown", { data: { id } });
    return found;
  };

  const change = (id: ProposalId, set: Partial<StoredProposal>): StoredProposal => {
    const row = db.update(scoutSuggestions).set(set).where(eq(scoutSuggestions.id, id)).returning().get();
    if (row === undefined) throw new DeviceError("proposal_unknown", { data: { id } });
    return row;
  };

  /** Also of what was decided here: the decision may be undone before the cloud is told of it. */
  const bury = (id: ProposalId, { reason, round = 1, outcome }: Closing): void => {
    const set = { reason, round, outcome: outcome ?? null, closedAt: now() };
    db.insert(proposalTombstones)
      .values({ id, ...set })
      .onConflictDoUpdate({ target: proposalTombstones.id, set, setWhere: lt(proposalTombstones.round, round) })
      .run();
  };

  return {
    decide(id, outcome) {
      const decided = db
        .update(scoutSuggestions)
        .set({ status: outcome, resolvedAt: now() })
        .where(and(eq(scoutSuggestions.id, id), eq(scoutSuggestions.status, "pending")))
        .returning()
        .get();
      if (decided !== undefined) return decided;
      throw decidedAlready(known(id));
    },

    becomes: (id, became) =>
      change(
        id,
        became === null
          ? { resolvedEntityType: null, resolvedEntityId: null, entityChange: null }
          : { resolvedEntityType: became.type, resolvedEntityId: became.id, entityChange: became.change },
      ),

    undecide(id) {
      const { round: own } = known(id);
      const [tombstone] = db.select().from(proposalTombstones).where(eq(proposalTombstones.id, id)).all();
      if (tombstone === undefined || tombstone.round < own) return change(id, { status: "pending", resolvedAt: null });
      const { reason, closedAt, round, outcome } = tombstone;
      const closed = { status: "expired", closedReason: reason, resolvedAt: closedAt } as const;
      return change(id, { ...closed, round, decidedElsewhere: outcome });
    },

    reopen(id) {
      const { status, closedReason, round } = known(id);
      if (!isDecidedHere(status) && closedReason !== "resolved_elsewhere" && closedReason !== "expired") {
        throw new DeviceError("proposal_undecided", { data: { id, status } });
      }
      return change(id, { ...newRound, round: round + 1 });
    },

    yield: (id) => change(id, { status: "expired", closedReason: "resolved_elsewhere" }),

    close(id, closing) {
      const { reason, outcome } = closing;
      const row = find(id);
      const round = closing.round ?? (reason === "gone" ? (row?.round ?? 1) : 1);
      if (row !== undefined && round < row.round) return undefined;
      if (row?.status === "pending") {
        const closed = { status: "expired", closedReason: reason, resolvedAt: now() } as const;
        return change(id, { ...closed, round, decidedElsewhere: outcome ?? null });
      }
      // One that expired before any device had it comes behind the word that it did.
      if (finalReasons.includes(reason) || (row === undefined && reason === "expired")) bury(id, { ...closing, round });
      if (row === undefined) return undefined;
      if (round === row.round && (isDecidedHere(row.status) || outcome === undefined)) return undefined;
      // Opened again and ended while this device was away.
      if (!isDecidedHere(row.status))
        return change(id, { round, closedReason: reason, decidedElsewhere: outcome ?? null });
      const isOther = outcome !== undefined && isOtherTruth(row, outcome);
      return change(id, { round, decidedElsewhere: isOther ? outcome : null });
    },

    differs({ id, decided, round, outcome }) {
      const row = find(id);
      if (row === undefined || row.round !== decided || !isDecidedHere(row.status)) return undefined;
      // Open again: it comes by itself.
      if (outcome === undefined) return undefined;
      const differ = isOtherTruth(row, outcome);
      const now = change(id, { round, decidedElsewhere: differ ? outcome : null });
      return differ ? now : undefined;
    },
  };
}

/** Why a proposal cannot be decided, put off or drafted any more: by whom, and as what. */
export function decidedAlready({ id, status, decidedElsewhere, closedReason }: StoredProposal): DeviceError {
  const isElsewhere = status === "expired" && decidedElsewhere !== null;
  const about = isElsewhere
    ? ({ approved: "elsewhereApproved", rejected: "elsewhereRejected" } as const)[decidedElsewhere]
    : isDecidedHere(status)
      ? status
      : closedReason === "scout_removed"
        ? "scoutRemoved"
        : closedReason === "expired"
          ? "undecided"
          : "closed";
  return exactError("proposal_decided", about, about === "undecided" ? { id } : {}, { data: { id, status } });
}

/** What a proposal is at the beginning of a round. */
export const newRound = {
  status: "pending",
  closedReason: null,
  resolvedAt: null,
  decidedElsewhere: null,
  entityChange: null,
  snoozedAt: null,
  snoozedUntil: null,
} as const satisfies Partial<StoredProposal>;
