import type { ProposalId } from "../../events/ids.ts";
import type { CloudApi } from "../connect/cloud-api.ts";
import { DeviceError } from "../errors.ts";
import { exactError } from "../exact-sentences.ts";
import { muteSender } from "../sources/mute-sender.ts";
import type { DeviceStore } from "../store/open.ts";

/**
 * Mutes the sender of a proposal for every scout on mail, or ends that; what was proposed before stays.
 *
 * @throws DeviceError `proposal_unknown`, `usage` where it names no address; as `muteSender`
 */
export function muteSenderOf(store: DeviceStore, home: () => CloudApi, id: ProposalId, muted: boolean) {
  const found = store.proposals.find(id);
  if (found === undefined) throw new DeviceError("proposal_unknown", { data: { id } });
  const address = found.metadata?.sender.address ?? "";
  if (address === "") throw exactError("usage", "noSender");
  return muteSender(home(), address, muted);
}
