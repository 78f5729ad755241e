import type { ScoutId, UserId } from "../../../events/ids.ts";
import type { SyncCause, SyncMessage } from "../../../events/queues.ts";
import type { Outgoing } from "../../ports/queue.ts";

/**
 * A message that has a scout looked at. Its group is the scout, so that there is one run of it at a time, behind its
 * person, so that whoever shares few workers among many can tell whose turn it is.
 *
 * @param dedupeId a second one with it is swallowed for five minutes: the Pub/Sub message's id, else a ULID
 */
export function syncHint(
  { userId, scoutId, sourceType }: { readonly userId: UserId; readonly scoutId: ScoutId; readonly sourceType?: string },
  cause: SyncCause,
  dedupeId: string,
): Outgoing<SyncMessage> {
  const source = sourceType === undefined ? {} : { source: sourceType };
  return { body: { v: 1, userId, scoutId, cause }, group: `${userId}.${scoutId}`, dedupeId, ...source };
}
