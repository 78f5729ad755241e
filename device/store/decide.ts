import { type FrameId, frameId, type ProposalId } from "../../events/ids.ts";
import { DeviceError } from "../errors.ts";
import { undoChange } from "../work/undo-change.ts";
import type { DeviceStore } from "./open.ts";
import type { StoredProposal } from "./schema.ts";

/** @param newId ULIDs without prefix */
export function newFrameId(newId: () => string): FrameId {
  return frameId.parse(`frm_${newId()}`);
}

/**
 * A person's decision: the proposal's row and the frame that tells the cloud become durable together. Any process may
 * call this; the one that holds the connection sends the frame.
 *
 * @param notBefore the cloud is not told before this (milliseconds since the epoch): until then it can be undone
 * @throws DeviceError `proposal_unknown`, `proposal_decided`.
 */
export function decideProposal(
  store: DeviceStore,
  id: ProposalId,
  outcome: "approved" | "rejected",
  nextFrameId: () => FrameId,
  notBefore?: number,
): StoredProposal {
  return store.transaction(() => {
    const decided = store.proposals.decide(id, outcome);
    const frame = { type: "scout_proposal_resolved" as const, id: nextFrameId(), proposalId: id, outcome };
    store.outbox.put(frame, { subject: id, ...(notBefore === undefined ? {} : { notBefore }) });
    return decided;
  });
}

/**
 * Takes a decision back that the cloud has not been told of: the proposal is as it was before, or closed when the cloud
 * has closed it meanwhile, and what it had become is taken away. Rows and frame go together, so that no process sends what
 * was undone.
 *
 * @throws DeviceError `proposal_unknown`, `decision_sent`; `change_superseded` when what it became has changed since
 */
export function undoDecision(store: DeviceStore, id: ProposalId): StoredProposal {
  return store.transaction(() => {
    const decided = store.proposals.find(id);
    if (decided === undefined) throw new DeviceError("proposal_unknown", { data: { id } });
    if (!store.outbox.withdraw(id)) throw new DeviceError("decision_sent", { data: { id } });
    takeAway(store, decided);
    return store.proposals.undecide(id);
  });
}

/** Takes away what a proposal has become, as an undo that its history knows; the person may have done so already. */
function takeAway(store: DeviceStore, { resolvedEntityType: kind, resolvedEntityId: id }: StoredProposal): void {
  if (kind === null || id === null || store.work[kind].find(id) === undefined) return;
  undoChange(store, kind, id, store.entityChanges.of(id)[0]?.number);
}
