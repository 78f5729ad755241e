import { ScoutsError } from "../../../events/errors.ts";
import type { ClientFrame, ServerFrame } from "../../../events/frames/frames.ts";
import { type ProposalId, splitProposalId } from "../../../events/ids.ts";
import { type ItemRow, isUnseen } from "../../scouts/items/item-row.ts";
import type { ItemId } from "../../scouts/items/item-store.ts";
import { tellDamage } from "../../stored-row.ts";
import { closedFrame } from "../proposal-frame.ts";
import type { DevicePorts, From } from "./device-ports.ts";
import { removedScouts } from "./removed-scouts.ts";

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
  const single = frame.type === "scout_proposal_ack";
  const proposalIds = single ? [frame.proposalId] : [...new Set(frame.proposalIds)];
  const round = single ? frame.round : 1;
  const ids = proposalIds.map((proposalId) => itemOf(from, proposalId));
  const nowMs = ports.clock();
  const writes = await Promise.allSettled(ids.map((id) => ports.items.delivered(id, from.deviceId, round, nowMs)));
  const failed = writes.find((write) => write.status === "rejected");
  if (failed) throw failed.reason;
  const idle = ids.filter((_, at) => writes[at]?.status === "fulfilled" && !writes[at].value);
  if (idle.length > 0) await acknowledgedIdly(ports, from, idle, { round, nowMs, isAll: idle.length === ids.length });
  return { type: "accepted", inReplyTo: frame.id };
}

/** What changed nothing is charged, but for what expired before any device had stored it: that is told now. */
async function acknowledgedIdly(
  ports: DevicePorts,
  { userId, deviceId }: From,
  ids: readonly ItemId[],
  { round, nowMs, isAll }: { round: number; nowMs: number; isAll: boolean },
): Promise<void> {
  const { rows, damaged } = await ports.items.getEach(ids);
  for (const { error } of damaged) tellDamage(error, ports.log, "acks");
  const told = await Promise.all(
    rows.filter(isUnseen).map((row) => ports.items.toldExpired(row, deviceId, round, nowMs)),
  );
  const idle = ids.length - told.filter(Boolean).length;
  if (idle > 0) await ports.limit.charge(userId, "idle", idle);
  if (isAll && rows.length + damaged.length === 0) throw new ScoutsError("proposal_not_found");
}

/**
 * The person has decided. The first decision of a round counts, and the other devices are told; whoever comes later hears
 * what it was decided as, so that its person knows of both.
 */
export async function resolved(
  ports: DevicePorts,
  from: From,
  frame: Extract<ClientFrame, { type: "scout_proposal_resolved" }>,
): Promise<ServerFrame> {
  const { id: inReplyTo, proposalId, round, outcome } = frame;
  const decision = { frame: inReplyTo, round, outcome };
  const settled = await ports.rounds.decided(itemOf(from, proposalId), decision, ports.clock());
  if (settled.how !== "done") await ports.limit.charge(from.userId, "idle");
  if (settled.how === "unknown") return refused(ports, from, proposalId);
  if (settled.how === "other") return elsewhere(inReplyTo, settled.row);
  if (settled.how === "done") {
    const closed = closedFrame(settled.row, "resolved_elsewhere");
    await ports.delivery.toEveryDevice(from.userId, [closed], from.connectionId);
  }
  return { type: "accepted", inReplyTo, decision: "counted", outcome, round };
}

/** The person wants to decide once more: every device gets the proposal again, in its next round. */
export async function reopened(
  ports: DevicePorts,
  from: From,
  { id: inReplyTo, proposalId, round }: Extract<ClientFrame, { type: "scout_proposal_reopen" }>,
): Promise<ServerFrame> {
  const settled = await ports.rounds.reopened(itemOf(from, proposalId), round, ports.clock());
  if (settled.how === "unknown") return refused(ports, from, proposalId);
  // The row is written: what cannot be read or posted now is brought by the next pull.
  if (settled.how === "done") await ports.delivery.sendAgain([settled.row]);
  return { type: "accepted", inReplyTo, round: settled.row.round };
}

/** @throws proposal_not_found; scout_not_found when that is because its scout is removed */
async function refused(ports: DevicePorts, from: From, proposalId: ProposalId): Promise<never> {
  const removed = await removedScouts(ports, from, [proposalId]);
  throw new ScoutsError(removed.size > 0 ? "scout_not_found" : "proposal_not_found");
}

function elsewhere(inReplyTo: ClientFrame["id"], { outcome, round }: ItemRow): ServerFrame {
  const decided = outcome === undefined ? {} : { outcome };
  return { type: "accepted", inReplyTo, decision: "decided_elsewhere", round, ...decided };
}

/** A proposal is always looked up under the connection's own user, whatever its id says. */
function itemOf(from: From, proposalId: ProposalId): ItemId {
  return { userId: from.userId, ...splitProposalId(proposalId) };
}
