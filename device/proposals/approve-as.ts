import type { FrameId, ProposalId } from "../../events/ids.ts";
import { DeviceError } from "../errors.ts";
import { decideProposal } from "../store/decide.ts";
import type { DeviceStore } from "../store/open.ts";
import type { StoredProposal } from "../store/schema.ts";
import { approveInto, type DecisionTimes, type OutcomeKind } from "../work/decide-into.ts";
import type { EntityTypes } from "../work/entities.ts";
import { type DraftOutcome, draftOutcome, type TitleLanguage } from "./draft/draft-outcome.ts";
import { draftRevision } from "./draft/draft-revision.ts";

/** A proposal and what it is to become; nothing where its draft is only to be known. */
export interface Chosen {
  readonly id: ProposalId;
  readonly outcome: DraftOutcome | undefined;
}

export interface Approved {
  readonly proposal: StoredProposal;
  readonly entity: EntityTypes[OutcomeKind] | null;
}

export interface ApprovalTimes extends DecisionTimes {
  /** When the cloud may be told of what nothing is made of; at once where absent. */
  readonly markedNotBefore?: number;
}

/** Approves a proposal and makes of it what was chosen, if anything. @throws DeviceError as `approveInto` */
export function approveAs(
  store: DeviceStore,
  { id, outcome }: Chosen,
  times: ApprovalTimes,
  newFrame: () => FrameId,
): Approved {
  if (outcome !== undefined) return approveInto(store, id, outcome.kind, outcome.draft, times, newFrame);
  return { proposal: decideProposal(store, id, "approved", newFrame, times.markedNotBefore), entity: null };
}

/** A proposal whose draft was shown. */
export interface ShownDraft {
  readonly id: ProposalId;
  /** The revision of the draft that was shown; another one is not approved unseen. */
  readonly seen?: string | undefined;
  /** In which its own words were. */
  readonly language: TitleLanguage;
}

/**
 * Approves a proposal into what its draft says, if anything.
 *
 * @throws DeviceError as {@link approveAs}, `draft_changed`
 */
export function approveAsDrafted(
  store: DeviceStore,
  { id, seen, language }: ShownDraft,
  times: ApprovalTimes,
  newFrame: () => FrameId,
): Approved {
  return store.transaction(() => {
    const row = store.proposals.find(id);
    const isOther = row?.status === "pending" && seen !== undefined && draftRevision(row) !== seen;
    if (isOther) throw new DeviceError("draft_changed");
    return approveAs(store, { id, outcome: row && draftOutcome(row, language) }, times, newFrame);
  });
}

/** Approves several, each into what was chosen: all of them, or none when one cannot be. */
export const approveAll = (
  store: DeviceStore,
  chosen: readonly Chosen[],
  times: ApprovalTimes,
  newFrame: () => FrameId,
): Approved[] => store.transaction(() => chosen.map((each) => approveAs(store, each, times, newFrame)));
