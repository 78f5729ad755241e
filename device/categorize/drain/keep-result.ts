import type { ProposalId } from "../../../events/ids.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { StoredProposal } from "../../store/schema.ts";
import { isNewer } from "../../work/interchange/revisions.ts";
import { standsFor } from "../../work/recurrence/time-of-series.ts";
import type { Categorized } from "../draft.ts";
import { isOfSameSender } from "./known-of.ts";

/**
 * Keeps what was made of a claimed proposal. Where it is about a revision of an event, older ones of its sender that still
 * wait say nothing any more, so that the same is shown whatever order they came in. One transaction.
 *
 * @returns the rows that changed; none when the claim was lost
 */
export function keepResult(
  store: DeviceStore,
  id: ProposalId,
  categorizer: string,
  result: Categorized,
): StoredProposal[] {
  // Lost, its claim would run out, and the item would be read again.
  return store.remakeable(() => {
    if (!store.proposals.categorize(id, categorizer, result)) return [];
    if (mayBeReadByModel(result)) store.proposals.wantReading(id);
    const changed = [id, ...replaced(store, id, result)];
    return changed.flatMap((each) => store.proposals.find(each) ?? []);
  });
}

/** Calendar parts and what a mail says of itself are exact; of what could not be read a model knows no more. */
const mayBeReadByModel = ({ draft: { calendar, claims, dropped } }: Categorized): boolean =>
  calendar === null && claims.length === 0 && !dropped.includes("not_read");

function replaced(store: DeviceStore, id: ProposalId, { draft }: Categorized): ProposalId[] {
  const { calendar } = draft;
  const own = store.proposals.find(id);
  if (calendar === null || own === undefined) return [];
  return store.proposals.ofEvent(calendar.uid).flatMap((row) => {
    const { payload } = row;
    const other = payload?.calendar;
    if (row.id === id || !isOfSameSender(row, own) || row.category !== "event" || payload === null || other == null)
      return [];
    if (standsFor({ ...other, zone: payload.zone }) !== calendar.recurrenceId || !isNewer(calendar, other)) return [];
    const reasons = ["invitation_outdated" as const, ...payload.reasons].slice(0, 8);
    const outdated = { category: "information", priority: "none", draft: { ...payload, reasons } } as const;
    return store.proposals.recategorize(row.id, payload, outdated) ? [row.id] : [];
  });
}
