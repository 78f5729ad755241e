import type { ClientFrame, ServerFrame } from "../../../events/frames.ts";
import { joinProposalId, splitProposalId } from "../../../events/ids.ts";
import { type ItemRow, isExpired, open } from "../../scouts/items/item-row.ts";
import type { DevicePorts, From } from "./device-ports.ts";

type Closed = Extract<ServerFrame, { type: "scout_proposal_closed" }>;

/**
 * Tells a device which of its pending proposals need no decision any more. Whoever was away when that was said has it said
 * again; what the cloud has forgotten (rows go ninety days after triage) is gone.
 */
export async function checked(
  ports: DevicePorts,
  from: From,
  frame: Extract<ClientFrame, { type: "proposals_check" }>,
): Promise<ServerFrame> {
  const ids = [...new Set(frame.proposalIds)];
  const found = await ports.items.getMany(ids.map((id) => ({ userId: from.userId, ...splitProposalId(id) })));
  const rows = new Map(found.map((row) => [joinProposalId(row.scoutId, row.ref), row]));
  for (const proposalId of ids) {
    const reason = whyClosed(rows.get(proposalId), ports.clock());
    if (reason === undefined) continue;
    const closed = { type: "scout_proposal_closed", proposalId, reason } as const;
    if ((await ports.sockets.post(from.connectionId, closed)) === "gone") break;
  }
  return { type: "accepted", inReplyTo: frame.id };
}

function whyClosed(row: ItemRow | undefined, nowMs: number): Closed["reason"] | undefined {
  if (row?.status === "acked") return "resolved_elsewhere";
  if (row?.status === "expired") return "expired";
  if (row?.status === "spam") return "dismissed";
  if (row === undefined || !open.some((status) => status === row.status)) return "gone";
  return isExpired(row, nowMs) ? "expired" : undefined;
}
