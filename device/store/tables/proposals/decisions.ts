import { and, eq } from "drizzle-orm";
import type { ProposalId } from "../../../../events/ids.ts";
import { DeviceError } from "../../../errors.ts";
import type { EntityKind } from "../../../work/entities.ts";
import {
  type ClosedReason,
  type ProposalStatus,
  proposalTombstones,
  type StoredProposal,
  scoutSuggestions,
} from "../../schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import type { ProposalList } from "./list.ts";

/** Closings that are final wherever they overtake the proposal; after the others the cloud may rightly deliver it again. */
const finalReasons: readonly ClosedReason[] = ["resolved_elsewhere", "gone"];

/** What becomes of proposals. */
export interface Decisions {
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

export function decisions(db: Database, now: () => number, find: ProposalList["find"]): Decisions {
  const settle = (id: ProposalId, change: { status: ProposalStatus; closedReason?: ClosedReason }) =>
    db
      .update(scoutSuggestions)
      .set({ ...change, resolvedAt: now() })
      .where(and(eq(scoutSuggestions.id, id), eq(scoutSuggestions.status, "pending")))
      .returning()
      .get();

  return {
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
