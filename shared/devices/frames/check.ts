import type { ClientFrame, ServerFrame } from "../../../events/frames/frames.ts";
import { joinProposalId, type ProposalId, splitProposalId } from "../../../events/ids.ts";
import { type ItemRow, isExpired, open } from "../../scouts/items/item-row.ts";
import { tellDamage } from "../../stored-row.ts";
import { type ClosedFrame, closedFrame } from "../proposal-frame.ts";
import type { DevicePorts, From } from "./device-ports.ts";
import { removedScouts } from "./removed-scouts.ts";

type Check = Extract<ClientFrame, { type: "proposals_check" }>;

/**
 * Tells a device which of its pending proposals need no decision any more, and which of those it has decided were decided
 * anew in a later round. Whoever was away when that was said has it said again; what the cloud has forgotten (rows go
 * ninety days after triage) is gone. That a scout is removed is said before what went with it, so that the device knows why.
 */
export async function checked(ports: DevicePorts, from: From, frame: Check): Promise<ServerFrame> {
  const nowMs = ports.clock();
  const pending = [...new Set(frame.proposalIds)];
  const decided = new Map((frame.decided ?? []).map(({ proposalId, round }) => [proposalId, round]));
  const { rows, unread } = await rowsOf(ports, from, pending);
  const { rows: later } = await rowsOf(ports, from, [...decided.keys()]);
  // Of one that cannot be read it is not known whether it needs a decision.
  const known = pending.filter((id) => !unread.has(id));
  const closed = [
    ...known.flatMap((id) => whyClosed(id, rows.get(id), nowMs)),
    ...[...later].flatMap(([id, row]) => (row.round > (decided.get(id) ?? 1) ? whyClosed(id, row, nowMs) : [])),
  ];
  const unknown = known.filter((id) => !rows.has(id));
  const removed = [...(await removedScouts(ports, from, unknown))].map((scoutId) => ({
    type: "scout_removed" as const,
    scoutId,
  }));
  for (const each of [...removed, ...closed]) if ((await ports.sockets.post(from.connectionId, each)) === "gone") break;
  return { type: "accepted", inReplyTo: frame.id };
}

async function rowsOf(
  { items, log }: DevicePorts,
  { userId }: From,
  ids: readonly ProposalId[],
): Promise<{ rows: ReadonlyMap<ProposalId, ItemRow>; unread: ReadonlySet<ProposalId> }> {
  if (ids.length === 0) return { rows: new Map(), unread: new Set() };
  const { rows, damaged } = await items.getEach(ids.map((id) => ({ userId, ...splitProposalId(id) })));
  for (const { error } of damaged) tellDamage(error, log, "check");
  return {
    rows: new Map(rows.map((row) => [joinProposalId(row.scoutId, row.ref), row])),
    unread: new Set(damaged.map(({ id }) => joinProposalId(id.scoutId, id.ref))),
  };
}

function whyClosed(proposalId: ProposalId, row: ItemRow | undefined, nowMs: number): ClosedFrame[] {
  if (row === undefined) return [{ type: "scout_proposal_closed", proposalId, reason: "gone" }];
  const reason = reasonOf(row, nowMs);
  return reason === undefined ? [] : [closedFrame(row, reason)];
}

function reasonOf(row: ItemRow, nowMs: number): ClosedFrame["reason"] | undefined {
  if (row.status === "acked") return "resolved_elsewhere";
  if (row.status === "expired") return "expired";
  if (row.status === "spam") return "dismissed";
  if (!open.some((status) => status === row.status)) return "gone";
  return isExpired(row, nowMs) ? "expired" : undefined;
}
