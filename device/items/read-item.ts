import { isScoutsError } from "../../events/errors.ts";
import type { ProposalId } from "../../events/ids.ts";
import { exactError } from "../exact-sentences.ts";
import type { DeviceStore } from "../store/open.ts";

/**
 * Reads an item in full at its source: a proposal's, or a dismissed one. One that nobody can read any more is said to be so, with why
 * and what is left to do.
 *
 * @param read asks its source, by way of the cloud
 * @throws what `read` throws; DeviceError `item_unknown` where its scout was removed, or its home has forgotten it
 */
export async function readItem<T>(
  { proposals }: Pick<DeviceStore, "proposals">,
  id: ProposalId,
  read: (id: ProposalId) => Promise<T>,
): Promise<T> {
  const isOfRemoved = proposals.find(id)?.closedReason === "scout_removed" || proposals.isOfRemoved(id);
  if (isOfRemoved) throw exactError("item_unknown", "scoutRemoved");
  try {
    return await read(id);
  } catch (error) {
    if (!isScoutsError(error, "proposal_not_found")) throw error;
    throw exactError("item_unknown", "forgotten", {}, { cause: error });
  }
}
