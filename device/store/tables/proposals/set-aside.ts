import { and, count, eq, isNull, min, type SQL, sql } from "drizzle-orm";
import type { ProjectId, ProposalId } from "../../../../events/ids.ts";
import type { Categorized } from "../../../categorize/draft.ts";
import { DeviceError } from "../../../errors.ts";
import { type StoredProposal, scoutSuggestions } from "../../schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import { decidedAlready } from "./decisions.ts";
import { isSnoozed } from "./filter.ts";

/** What a person does with a proposal without deciding it. */
export interface SetAside {
  /** Hides what is pending until a time (milliseconds since the epoch); null shows it again. @throws DeviceError */
  snooze(id: ProposalId, untilMs: number | null): StoredProposal;
  /** How many pending ones are hidden now, and when the first of them comes back. */
  snoozed(): { readonly proposals: number; readonly nextMs: number | null };
  /**
   * Puts the person's own draft in the place of the one they saw; nobody reads the proposal any more. Undefined when it is
   * another one by now. @throws DeviceError `proposal_unknown`, `proposal_decided`
   */
  redraft(id: ProposalId, before: Categorized["draft"] | null, result: Categorized): StoredProposal | undefined;
  /** Puts it into a project, or takes it out. @throws DeviceError `proposal_unknown` */
  assign(id: ProposalId, project: ProjectId | null): StoredProposal;
  /** Takes all out of a project that is to be no more, and out of what is drafted of them. */
  leaveProject(project: ProjectId): void;
}

/**
 * What a person does with a proposal on this device alone, over a database: the cloud is told nothing of it.
 *
 * @param now milliseconds since the epoch
 */
export function setAside(db: Database, now: () => number): SetAside {
  const change = (id: ProposalId, set: Partial<StoredProposal>, when?: SQL): StoredProposal | undefined =>
    db
      .update(scoutSuggestions)
      .set(set)
      .where(and(eq(scoutSuggestions.id, id), when))
      .returning()
      .get();

  const isPending = eq(scoutSuggestions.status, "pending");
  /** @throws DeviceError `proposal_unknown`, `proposal_decided` */
  const requirePending = (id: ProposalId): void => {
    const found = db.select().from(scoutSuggestions).where(eq(scoutSuggestions.id, id)).get();
    if (found === undefined) throw new DeviceError("proposal_unknown", { data: { id } });
    if (found.status !== "pending") throw decidedAlready(found);
  };

  return {
    snooze(id, untilMs) {
      const set = { snoozedAt: untilMs === null ? null : now(), snoozedUntil: untilMs };
      const row = change(id, set, isPending);
      if (row !== undefined) return row;
      requirePending(id);
      throw new DeviceError("proposal_unknown", { data: { id } });
    },

    redraft(id, before, { category, priority, draft }) {
      const { payload } = scoutSuggestions;
      const isAsSeen = and(isPending, before === null ? isNull(payload) : eq(payload, before));
      const set = { category, priority, payload: draft, modelAfter: null, categorizeAfter: null };
      const row = change(id, set, isAsSeen);
      if (row === undefined) requirePending(id);
      return row;
    },

    snoozed() {
      const found = db
        .select({ proposals: count(), nextMs: min(scoutSuggestions.snoozedUntil) })
        .from(scoutSuggestions)
        .where(isSnoozed(now()))
        .get();
      return found ?? { proposals: 0, nextMs: null };
    },

    assign(id, project) {
      const row = change(id, { projectId: project });
      if (row === undefined) throw new DeviceError("proposal_unknown", { data: { id } });
      return row;
    },

    leaveProject(project) {
      const { projectId, payload } = scoutSuggestions;
      db.update(scoutSuggestions).set({ projectId: null }).where(eq(projectId, project)).run();
      db.update(scoutSuggestions)
        .set({ payload: sql`json_set(${payload}, '$.projectId', NULL)` })
        .where(sql`${payload} ->> '$.projectId' = ${project}`)
        .run();
    },
  };
}
