import type { Proposal, ServerFrame } from "../../events/frames.ts";
import type { FrameId, ProposalId } from "../../events/ids.ts";
import type { DeviceStore } from "../store/open.ts";
import type { StoredProposal } from "../store/schema.ts";

/** A step that may only be taken when the transaction around it is durable. */
export type Step = () => void;
export type FrameHandler = (frame: ServerFrame) => Step | undefined;

interface DeliveryOptions {
  readonly store: DeviceStore;
  readonly newFrameId: () => FrameId;
  /** A proposal arrived, new or not; called inside the transaction. */
  readonly onReceived: (proposalId: ProposalId) => void;
  /** Proposals are durable that this device did not have. */
  readonly onStored: (stored: readonly StoredProposal[]) => void;
  /** Every frame that is not a proposal. */
  readonly onFrame: FrameHandler;
}

/** Runs of neighbouring proposals become one insert; the order of frames stays. */
function* runs(frames: readonly ServerFrame[]): Generator<{ proposals: Proposal[] } | { frame: ServerFrame }> {
  let proposals: Proposal[] = [];
  for (const frame of frames) {
    if (frame.type === "scout_proposal") {
      proposals.push(frame.proposal);
      continue;
    }
    if (proposals.length > 0) yield { proposals };
    proposals = [];
    yield { frame };
  }
  if (proposals.length > 0) yield { proposals };
}

/**
 * Applies frames from the cloud in one transaction: proposals are stored once for ever, and each one received, also one
 * known already, leaves an ack in the outbox of the same transaction. So there is no moment at which the cloud could be
 * told of a proposal this device does not hold, nor one at which the ack could be forgotten.
 *
 * @returns the steps to take now that everything is durable, in order
 */
export function applyFrames(frames: readonly ServerFrame[], options: DeliveryOptions): Step[] {
  const { store, newFrameId, onReceived, onStored, onFrame } = options;
  const steps: Step[] = [];

  const receive = (proposals: Proposal[]) => {
    const stored = store.proposals.add(proposals);
    for (const { id: proposalId } of proposals) {
      const ack = { type: "scout_proposal_ack" as const, id: newFrameId(), proposalId };
      store.outbox.put(ack, { subject: proposalId, dedupeKey: `ack:${proposalId}` });
      onReceived(proposalId);
    }
    if (stored.length > 0) steps.push(() => onStored(stored));
  };

  store.transaction(() => {
    for (const run of runs(frames)) {
      if ("proposals" in run) receive(run.proposals);
      else {
        const step = onFrame(run.frame);
        if (step !== undefined) steps.push(step);
      }
    }
  });
  return steps;
}
