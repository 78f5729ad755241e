import { ScoutsError } from "../../../events/errors.ts";
import type { ClientFrame } from "../../../events/frames/frames.ts";
import { splitProposalId } from "../../../events/ids.ts";
import type { DevicePorts, From } from "./device-ports.ts";
import { itemParts } from "./item-parts.ts";

/** "Read the full item": fetched now, answered now, kept nowhere. */
export async function itemRequested(
  ports: DevicePorts,
  from: From,
  frame: Extract<ClientFrame, { type: "scout_item_request" }>,
): Promise<void> {
  const { proposalId } = frame;
  const { scoutId, ref } = splitProposalId(proposalId);
  const [row] = await ports.items.getMany([{ userId: from.userId, scoutId, ref }]);
  const connector = row && ports.connectors.get(row.sourceType);
  if (!connector) throw new ScoutsError("proposal_not_found");
  const scout = (await ports.scouts.find(from.userId, scoutId)) ?? row;
  const { limits } = connector;
  const isLookedAt = frame.background !== true;
  // Whoever waits may use the reserve.
  const taken = await ports.quota.take(scout, limits, limits?.costs.read ?? 0, isLookedAt);
  if (!taken.granted) throw new ScoutsError("source_quota_spent", { data: { untilMs: taken.untilMs } });
  const content = await connector.fetchContent(scout, ref, isLookedAt ? "shown" : "words");
  for (const part of itemParts(proposalId, content)) {
    const answer = { type: "scout_item" as const, inReplyTo: frame.id, ...part };
    if ((await ports.sockets.post(from.connectionId, answer)) === "gone") return;
  }
}
