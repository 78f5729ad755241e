import type { ServerFrame } from "../../events/frames/frames.ts";
import { socketLimits } from "../../events/frames/limits.ts";
import type { Proposal } from "../../events/proposals/proposal.ts";

/** Of one message, with room for what is around what it carries. */
export const packedBytes = socketLimits.messageBytes - 8 * 1024;

/**
 * The same frames with neighbouring proposals in one, as many as a message holds: each message is a request, signed, checked
 * and counted, and the device commits what comes together as one. One alone, or too long to share, stays as it is.
 */
export function together(frames: readonly ServerFrame[]): ServerFrame[] {
  const packed: ServerFrame[] = [];
  let gathered: Proposal[] = [];
  let bytes = 0;
  const close = () => {
    const [only, ...more] = gathered;
    if (only !== undefined && more.length === 0) packed.push({ type: "scout_proposal", proposal: only });
    else if (only !== undefined) packed.push({ type: "scout_proposals", proposals: gathered });
    gathered = [];
    bytes = 0;
  };
  for (const frame of frames) {
    if (frame.type !== "scout_proposal") {
      close();
      packed.push(frame);
      continue;
    }
    const more = bytesOf(frame.proposal);
    if (bytes + more > packedBytes || gathered.length === socketLimits.pageSize) close();
    gathered.push(frame.proposal);
    bytes += more;
  }
  close();
  return packed;
}

/** With the comma after it. */
const bytesOf = (proposal: Proposal): number => Buffer.byteLength(JSON.stringify(proposal)) + 1;
