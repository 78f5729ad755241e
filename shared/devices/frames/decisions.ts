import { ScoutsError } from "../../../events/errors.ts";
import type { ClientFrame, ServerFrame } from "../../../events/frames.ts";
import { type ProposalId, splitProposalId } from "../../../events/ids.ts";
import type { ItemId } from "../../scouts/item-store.ts";
import type { DevicePorts, From } from "./device-ports.ts";

/** The device has stored the proposal. Saying so again, or after it was closed, is accepted and changes nothing. */
export async function acknowledged(
  ports: DevicePorts,
  from: From,
  frame: Extract<ClientFrame, { type: "scout_proposal_ack" }>,
): Promise<ServerFrame> {
  const id = itemOf(from, frame.proposalId);
  if (!(await ports.items.delivered(id, from.deviceId, ports.clock()))) await mustExist(ports, id, from);
  return { type: "accepted", inReplyTo: frame.id };
}

/** The person has decided. The first decision counts; the other devices are told to close the proposal. */
export async function resolved(
  ports: DevicePorts,
  from: From,
  frame: Extract<ClientFrame, { type: "scout_proposal_resolved" }>,
): Promise<ServerFrame> {
  const id = itemOf(from, frame.proposalId);
  if (await ports.items.resolved(id, ports.clock())) {
    const closed = {
      type: "scout_proposal_closed",
      proposalId: frame.proposalId,
      reason: "resolved_elsewhere",
    } as const;
    await ports.delivery.toEveryDevice(from.userId, [closed], from.connectionId);
  } else {
    await mustExist(ports, id, from);
  }
  return { type: "accepted", inReplyTo: frame.id };
}

/** A proposal is always looked up under the connection's own user, whatever its id says. */
function itemOf(from: From, proposalId: ProposalId): ItemId {
  return { userId: from.userId, ...splitProposalId(proposalId) };
}

/** A frame that changed nothing counts against what its sender may send. */
async function mustExist(ports: DevicePorts, id: ItemId, from: From): Promise<void> {
  await ports.limit.charge(from.userId, "idle");
  const rows = await ports.items.getMany([id]);
  if (rows.length === 0) throw new ScoutsError("proposal_not_found");
}
