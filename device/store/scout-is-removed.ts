import type { ScoutId } from "../../events/ids.ts";
import type { DeviceStore } from "./open.ts";
import type { StoredProposal } from "./schema.ts";

/**
 * A scout is removed, here or by another device: its proposals that nobody has decided are closed. What was decided stays as
 * decided, with what it has become; that the cloud is not told of any more, nor of anything else of the scout. Any process
 * may call this, and again. Returns the proposals that were closed by it.
 */
export function scoutIsRemoved(store: DeviceStore, id: ScoutId): StoredProposal[] {
  return store.transaction(() => {
    store.outbox.forgetScout(id);
    store.knownScouts.forget(id);
    store.waitingScouts.forget(id);
    return store.proposals.closeWith(id);
  });
}
