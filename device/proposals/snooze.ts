import type { ProposalId } from "../../events/ids.ts";
import { exactError } from "../exact-sentences.ts";
import type { DeviceStore } from "../store/open.ts";
import type { StoredProposal } from "../store/schema.ts";
import type { Here } from "../work/dates/read-date.ts";
import { localTimeAt } from "../work/dates/zone.ts";

/** The cloud closes what nobody has decided so long after it was judged, snoozed or not. */
const openMs = 30 * 86_400_000;

/**
 * Hides a pending proposal on this device until a time; then it is in its lists again, also after a restart. A clock
 * that is set brings it back early, never late by more than a day.
 *
 * @param untilMs milliseconds since the epoch; null shows it again now
 * @throws DeviceError `proposal_unknown`, `proposal_decided`, `value_invalid`
 */
export function snoozeProposal(
  store: DeviceStore,
  id: ProposalId,
  untilMs: number | null,
  { nowMs, zone }: Here,
): StoredProposal {
  return store.transaction(() => {
    const row = store.proposals.snooze(id, untilMs);
    if (untilMs === null) return row;
    if (untilMs <= nowMs) throw exactError("value_invalid", "snoozePast");
    // Opened again it has its thirty days from then, which is later.
    const endsAt = row.triagedAt + openMs;
    if (row.round === 1 && untilMs >= endsAt) {
      const day = localTimeAt(endsAt, zone).slice(0, 10);
      throw exactError("value_invalid", "snoozeClosed", { day });
    }
    return row;
  });
}
