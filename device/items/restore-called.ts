import { isScoutsError } from "../../events/errors.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import { itemRef } from "../../events/ids.ts";
import type { CloudApi } from "../connect/cloud-api.ts";
import { called } from "../errors/called.ts";
import { DeviceError } from "../errors.ts";
import { refCure } from "../store/find-proposal.ts";
import type { StoredProposal } from "../store/schema.ts";
import { dismissedCalled, restoreDismissed } from "./dismissed.ts";

/**
 * Takes the item back that is called so, by its ref, its id or how they begin, out of Trash too; it becomes a proposal. One that was
 * taken back before is no mistake.
 *
 * @param proposalNamed the proposal on this device that is called so, where it was taken back before
 * @returns its ref
 * @throws DeviceError `usage` where several are called so, `item_unknown` where none of them was dismissed
 */
export async function restoreCalled(
  api: CloudApi,
  scouts: readonly ScoutResponse[],
  text: string,
  proposalNamed: () => Promise<StoredProposal | undefined>,
): Promise<string> {
  const found = await dismissedCalled(api, scouts, text);
  if (found === undefined) {
    const before =
      (await restoredBefore(api, scouts, text)) ?? (await restoredProposal(api, scouts, await proposalNamed()));
    if (before !== undefined) return before;
    const list = "`scouts spam` shows what was dismissed, and `scouts proposals list` what was restored.";
    throw new DeviceError("item_unknown", {
      sentence: `No scout has dismissed ${called(text)}, or it was restored already: ${list} ${refCure(text)}`.trim(),
    });
  }
  await restoreDismissed(api, found.scout.id, found.ref);
  return found.ref;
}

/** One that was restored before is dismissed no longer, and restoring it again is no mistake. */
async function restoredBefore(
  api: CloudApi,
  scouts: readonly ScoutResponse[],
  text: string,
): Promise<string | undefined> {
  const bare = scouts.reduce((rest, { id }) => (rest.startsWith(`${id}.`) ? rest.slice(id.length + 1) : rest), text);
  const ref = itemRef.safeParse(bare);
  if (!ref.success) return undefined;
  for (const { id } of scouts) {
    try {
      await restoreDismissed(api, id, ref.data);
      return ref.data;
    } catch (error) {
      if (!isScoutsError(error, "proposal_not_found")) throw error;
    }
  }
  return undefined;
}

/** What a proposal on this device is of, where it was dismissed once. @throws DeviceError `usage`, `item_unknown` where it never was */
async function restoredProposal(
  api: CloudApi,
  scouts: readonly ScoutResponse[],
  proposal: StoredProposal | undefined,
): Promise<string | undefined> {
  if (proposal === undefined || !scouts.some(({ id }) => id === proposal.scoutId)) return undefined;
  const { scoutId, sourceMsgRef } = proposal;
  try {
    await restoreDismissed(api, scoutId, sourceMsgRef);
    return sourceMsgRef;
  } catch (cause) {
    if (!isScoutsError(cause, "proposal_not_found")) throw cause;
    const sentence = `${called(sourceMsgRef)} was not dismissed: it is among your proposals; see: scouts proposals show ${proposal.id}`;
    throw new DeviceError("item_unknown", { sentence, cause });
  }
}
