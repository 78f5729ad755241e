import { type ProposalId, type ScoutId, scoutId, splitProposalId } from "../../../events/ids.ts";
import { scoutOfKey } from "../../keys.ts";
import type { DevicePorts, From } from "./device-ports.ts";

/**
 * Which scouts of proposals that the cloud knows nothing of are removed: a device that still names them was away when that
 * was said, or the word was lost. One of another person, or that never was, is none of this person's either.
 *
 * @param unknown at most a hundred
 */
export async function removedScouts(
  { scouts }: Pick<DevicePorts, "scouts">,
  { userId }: From,
  unknown: readonly ProposalId[],
): Promise<ReadonlySet<ScoutId>> {
  const named = new Set(unknown.map((id) => splitProposalId(id).scoutId));
  if (named.size === 0) return named;
  const ids = [...named].map((scoutId) => ({ userId, scoutId }));
  const { rows, damaged } = await scouts.getEach(ids);
  for (const { scoutId } of rows) named.delete(scoutId);
  // It is there all the same.
  for (const { row } of damaged) named.delete(scoutId.parse(scoutOfKey(row)));
  return named;
}
