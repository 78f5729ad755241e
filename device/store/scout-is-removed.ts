import type { ScoutId } from "../../events/ids.ts";
import { isDeviceError } from "../errors.ts";
import { scoutNamed } from "../sources/scout-named.ts";
import type { DeviceStore } from "./open.ts";
import type { StoredProposal } from "./schema.ts";
import { vanishedCode } from "./tables/known-scouts.ts";

/**
 * A scout is removed, here or by another device: its proposals that nobody has decided are closed. What was decided stays as
 * decided, with what it has become; that the cloud is not told of any more, nor of anything else of the scout. Any process
 * may call this, and again. Returns the proposals that were closed by it.
 *
 * @param isFoundOut it is not there any more, and nobody has said why: its person may know of it, or it was lost
 */
export function scoutIsRemoved(store: DeviceStore, id: ScoutId, isFoundOut = false): StoredProposal[] {
  return store.transaction(() => {
    store.outbox.forgetScout(id);
    if (isFoundOut) store.knownScouts.vanished(id);
    else store.knownScouts.forget(id);
    store.waitingScouts.forget(id);
    return store.proposals.closeWith(id);
  });
}

/**
 * Says no more of a scout that the home does not know and this device does: its person knows why it is gone.
 *
 * @param text its name, id or the beginning of that
 * @returns undefined when there is none
 * @throws DeviceError `usage` when several are meant
 */
export function forgetVanished(
  store: DeviceStore,
  text: string,
): { readonly id: ScoutId; readonly name: string } | undefined {
  const vanished = store.knownScouts
    .off()
    .flatMap(({ id, name, offCode }) => (offCode === vanishedCode ? [{ id, name: name ?? id }] : []));
  try {
    const found = scoutNamed(vanished, text);
    scoutIsRemoved(store, found.id);
    return found;
  } catch (error) {
    if (isDeviceError(error, "scout_unknown")) return undefined;
    throw error;
  }
}
