import { isScoutsError } from "../../events/errors.ts";
import type { ServerFrame } from "../../events/frames/frames.ts";
import type { Connections } from "../ports/connections.ts";
import type { Log } from "../ports/log.ts";
import { bareProposal } from "./proposal-frame.ts";

/**
 * Posts a frame of a page. A proposal whose texts are too long for one goes out bare, as one whose source cannot be read
 * does: it costs that item its texts, and the page nothing. A page that failed for it would be asked for again for ever.
 */
export async function postOfPage(
  { sockets, log }: { readonly sockets: Connections; readonly log: Log },
  connectionId: string,
  frame: ServerFrame,
): Promise<"sent" | "gone"> {
  try {
    return await sockets.post(connectionId, frame);
  } catch (error) {
    if (frame.type !== "scout_proposal" || !isScoutsError(error, "payload_too_large")) throw error;
    const { scoutId, sourceMsgRef } = frame.proposal;
    log.error("proposal_too_large", error, { scoutId, ref: sourceMsgRef });
    return sockets.post(connectionId, bareProposal(frame));
  }
}
