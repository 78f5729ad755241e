import type { ScoutId } from "../../events/ids.ts";
import type { SyncMessage } from "../../events/queues.ts";
import { type Outcome, unsettled } from "../../shared/outcome/outcome.ts";
import { isolatePoison } from "../../shared/outcome/poison-isolation.ts";
import { type SyncPorts, syncScout } from "../../shared/scouts/sync/sync.ts";
import type { Received } from "../../shared/scouts/triage/triage-batch.ts";

/**
 * Messages are hints: however many name a scout, it is looked at once, and that settles them all. Those that come again are looked at
 * one after another (see `isolationOrder`), each with its share of the time.
 */
export async function syncBatch(
  ports: SyncPorts,
  batch: readonly Received<SyncMessage>[],
  remainingMs: () => number,
): Promise<Outcome[]> {
  const scouts = [...Map.groupBy(batch, ({ body }) => body.scoutId)];
  const receivesOf = ([, hints]: (typeof scouts)[number]) => Math.max(...hints.map(({ receiveCount }) => receiveCount));
  const outcomes = new Map<ScoutId, Outcome>();
  await isolatePoison(
    scouts,
    ([scoutId]) => scoutId,
    receivesOf,
    async ([scoutId, hints]) => {
      const [first] = hints;
      if (!first) return;
      const interrupted = receivesOf([scoutId, hints]) > 1;
      const causes = new Set(hints.map(({ body }) => body.cause));
      const own = interrupted ? () => remainingMs() / scouts.length : remainingMs;
      outcomes.set(scoutId, await syncScout(ports, { ...first.body, causes, interrupted }, own));
    },
  );
  return batch.map(({ body }) => outcomes.get(body.scoutId) ?? unsettled);
}
