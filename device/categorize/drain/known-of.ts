import type { DeviceStore } from "../../store/open.ts";
import type { StoredProposal } from "../../store/schema.ts";
import { isNewer } from "../../work/interchange/revisions.ts";
import { standsFor } from "../../work/recurrence/time-of-series.ts";
import type { Known, KnownRevision } from "../item-view.ts";

/** What this device knows about a proposal besides its item. */
export function knownOf(store: DeviceStore, row: StoredProposal, here: Pick<Known, "nowMs" | "zone">): Known {
  return {
    ...here,
    isSenderKnown: isSenderKnown(store, row),
    projects: store.projects.list().map(({ id, name }) => ({ id, name })),
    revisionOf: (uid, recurrenceId) => newestRevision(store, row, uid, recurrenceId),
  };
}

/** Among the person's people, approved before, or of a conversation of which something was. */
export function isSenderKnown(store: DeviceStore, row: StoredProposal): boolean {
  const { sourceType, metadata } = row;
  const address = addressOf(row);
  if (address !== "" && store.workLookups.isOfPerson(address)) return true;
  return store.proposals.wasApproved({ address, sourceType, threadRef: metadata?.threadRef });
}

/**
 * Whether two proposals are from the same address. Whoever has an invitation knows its UID and can write a higher SEQUENCE: a
 * revision by somebody else neither replaces one that waits nor is its equal.
 */
export const isOfSameSender = (one: StoredProposal, other: StoredProposal): boolean =>
  addressOf(one) === addressOf(other);

const addressOf = ({ metadata }: StoredProposal): string => metadata?.sender.address.toLowerCase() ?? "";

function newestRevision(
  store: DeviceStore,
  own: StoredProposal,
  uid: string,
  recurrenceId: string,
): KnownRevision | undefined {
  const others = store.proposals.ofEvent(uid).filter(({ id }) => id !== own.id);
  const taken = others.filter(({ status }) => status === "approved");
  const isOfAnother = taken.length > 0 && !taken.some((each) => isOfSameSender(each, own));
  const kept = store.workLookups
    .eventsOf(uid)
    .filter((event) => standsFor(event) === recurrenceId)
    .map((event): KnownRevision => ({ ...event, stampedAt: event.stampedAt ?? event.updatedAt, isOfAnother }));
  const proposed = others.flatMap((row): KnownRevision[] => {
    const { payload } = row;
    if (payload === null || payload.calendar === null || !isOfSameSender(row, own)) return [];
    const { title, start, end, zone, isAllDay, calendar } = payload;
    if (standsFor({ ...calendar, zone }) !== recurrenceId) return [];
    return [{ ...calendar, title, start, end, zone, isAllDay, isOfAnother: false }];
  });
  const [newest] = [...kept, ...proposed].toSorted((one, other) => (isNewer(one, other) ? -1 : 1));
  return newest;
}
