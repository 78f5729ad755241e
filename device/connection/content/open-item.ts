import type { ProposalId } from "../../../events/ids.ts";
import { isDeviceError } from "../../errors.ts";
import { type ContentOptions, openContentChannel } from "./content-channel.ts";
import type { FullItem } from "./item-assembly.ts";

/** How long a person waits for a connection before they hear of it. */
const patienceMs = 10_000;

/**
 * Reads one item in full at its source, over a connection of its own, for a program that does nothing else: the device
 * that may be running on the same data folder keeps its connection. Proposals and dismissed items alike; nothing of it is
 * stored on either side. A connection that is lost on the way is made again.
 *
 * @throws ScoutsError with the cloud's code (`item_gone`, `reauth`, …); DeviceError `connection_lost`, `answer_overdue`,
 * `ticket_refused`, `device_closed` when `signal` is aborted
 */
export async function openItem(id: ProposalId, options: Omit<ContentOptions, "patienceMs">): Promise<FullItem> {
  const channel = openContentChannel({ ...options, patienceMs });
  try {
    for (;;) {
      await channel.ready();
      try {
        return await channel.requestItem(id);
      } catch (error) {
        if (!isDeviceError(error, "connection_lost")) throw error;
      }
    }
  } finally {
    await channel.close();
  }
}
