import type { ClientFrame, ServerFrame } from "../../../events/frames/frames.ts";
import { splitProposalId } from "../../../events/ids.ts";
import type { Delivery } from "../delivery.ts";
import type { DevicePorts, From } from "./device-ports.ts";

/**
 * A device says what its run of `categorize` came to, and the person's other devices are told: those that are connected.
 * It passes through memory only and is not looked into. A result of a round this device does not have is passed on to
 * nobody, and accepted: another one counts.
 */
export async function categorized(
  ports: Pick<DevicePorts, "leases"> & { readonly delivery: Pick<Delivery, "toEveryDevice"> },
  from: From,
  { id: inReplyTo, proposalId, round, result }: Extract<ClientFrame, { type: "categorize_result" }>,
): Promise<ServerFrame> {
  const { userId, deviceId, connectionId } = from;
  const id = { userId, ...splitProposalId(proposalId) };
  if (await ports.leases.holds(id, { deviceId, round })) {
    const told: ServerFrame = { type: "categorize_result", proposalId, round, result };
    await ports.delivery.toEveryDevice(userId, [told], connectionId);
  }
  return { type: "accepted", inReplyTo };
}
