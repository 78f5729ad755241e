import type { DeviceStore } from "../../store/open.ts";
import type { StoredProposal } from "../../store/schema.ts";
import { isNewer } from "../../work/interchange/revisions.ts";
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
export function isSenderKnown(store: DeviceStore, { sourceType, metadata }: StoredProposal): boolean {
  const address = metadata?.sender.address.toLowerCase() ?? "";
  if (
    address !== "" &&
    store.work.person.list().some(({ addresses }) => addresses.some((each) => each.toLowerCase() === address))
  ) {
    return true;
  }
  return store.proposals.wasApproved({ address, sourceType, threadRef: metadata?.threadRef });
}

function newestRevision(
  store: DeviceStore,
  own: StoredProposal,
  uid: string,
  recurrenceId: string,
): KnownRevision | undefined {
  const kept = store.work.event
    .list()
    .filter((event) => event.uid === uid && event.recurrenceId === recurrenceId)
    .map((event): KnownRevision => ({ ...event, stampedAt: event.stampedAt ?? event.updatedAt }));
  const proposed = store.proposals.ofEvent(uid).flatMap(({ id, payload }): KnownRevision[] => {
    if (id === own.id || payload?.calendar?.recurrenceId !== recurrenceId) return [];
    const { title, start, end, zone, isAllDay, calendar } = payload;
    return [{ ...calendar, title, start, end, zone, isAllDay }];
  });
  const [newest] = [...kept, ...proposed].toSorted((one, other) => (isNewer(one, other) ? -1 : 1));
  return newest;
}
