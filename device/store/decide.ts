import { type FrameId, frameId, type ProposalId } from "../../events/ids.ts";
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
 * @throws DeviceError `proposal_unknown`, `proposal_decided`.
 */
export function decideProposal(
  store: DeviceStore,
  id: ProposalId,
  outcome: "approved" | "rejected",
  nextFrameId: () => FrameId,
): StoredProposal {
  return store.transaction(() => {
    const decided = store.proposals.decide(id, outcome);
    const frame = { type: "scout_proposal_resolved" as const, id: nextFrameId(), proposalId: id, outcome };
    store.outbox.put(frame, { subject: id });
    return decided;
  });
}
