import type { ClientFrame } from "../../../events/frames/frames.ts";
import type { FrameId, ProposalId } from "../../../events/ids.ts";
import type { WaitingFrame } from "../../store/tables/outbox.ts";

/** What goes over the socket as one frame and is accepted as one: a frame of the outbox, or several acks of it. */
export interface Shipment {
  readonly id: FrameId;
  readonly text: string;
  readonly rows: readonly WaitingFrame[];
}

/** The frame as it is in the outbox, under its own id. */
export function single(row: WaitingFrame): Shipment {
  return { id: row.id, text: row.text, rows: [row] };
}

/**
 * Acks in one frame. Its id is new whenever it is packed: what the cloud accepts under an id must not be more than it was
 * sent under it.
 */
export function packAcks(rows: readonly WaitingFrame[], newFrameId: () => FrameId): Shipment {
  const [only, ...more] = rows;
  if (only !== undefined && more.length === 0) return single(only);
  const id = newFrameId();
  const proposalIds: ProposalId[] = rows.flatMap(({ ackOf }) => ackOf ?? []);
  const frame: ClientFrame = { type: "scout_proposals_ack", id, proposalIds };
  return { id, text: JSON.stringify(frame), rows };
}
