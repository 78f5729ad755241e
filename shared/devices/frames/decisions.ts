import { ScoutsError } from "../../../events/errors.ts";
import type { ClientFrame, ServerFrame } from "../../../events/frames.ts";
import { type ProposalId, splitProposalId } from "../../../events/ids.ts";
import type { ItemId } from "../../scouts/items/item-store.ts";
import type { DevicePorts, From } from "./device-ports.ts";

/**
 * The device has stored these proposals. Saying so again, or after they were closed, is accepted and changes nothing. Each
 * is a write of its own, and all are tried before the frame is answered. Proposals that do not exist (any more) keep
 * nothing from the others: the frame is refused only when none of them does.
 */
export async function acknowledged(
  ports: DevicePorts,
  from: From,
  frame: Extract<ClientFrame, { type: "scout_proposal_ack" | "scout_proposals_ack" }>,
): Promise<ServerFrame> {
  const proposalIds = frame.type === "scout_proposal_ack" ? [frame.proposalId] : [...new Set(frame.proposalIds)];
  const ids = proposalIds.map((proposalId) => itemOf(from, proposalId));
  const nowMs = ports.clock();
  const writes = await Promise.allSettled(ids.map((id) => ports.items.delivered(id, from.deviceId, nowMs)));
  const failed = writes.find((write) => write.status === "rejected");
  if (failed) throw failed.reason;
  const idle = writes.filter((write) => write.status === "fulfilled" && !write.value).length;
  if (idle > 0) await ports.limit.charge(from.userId, "idle", idle);
  if (idle === ids.length) await someMustExist(ports, ids);
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
    await ports.limit.charge(from.userId, "idle");
    await someMustExist(ports, [id]);
  }
  return { type: "accepted", inReplyTo: frame.id };
}

/** A proposal is always looked up under the connection's own user, whatever its id says. */
function itemOf(from: From, proposalId: ProposalId): ItemId {
  return { userId: from.userId, ...splitProposalId(proposalId) };
}

async function someMustExist(ports: DevicePorts, ids: readonly ItemId[]): Promise<void> {
  const rows = await ports.items.getMany(ids);
  if (rows.length === 0) throw new ScoutsError("proposal_not_found");
}
