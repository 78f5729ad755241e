import type { SyncMessage } from "../../events/queues.ts";
import { type Outcome, unsettled } from "../../shared/outcome/outcome.ts";
import { type SyncPorts, syncScout } from "../../shared/scouts/sync/sync.ts";

/** Messages are hints: however many name a scout, it is looked at once, and that settles them all. */
export async function syncBatch(
  ports: SyncPorts,
  batch: readonly { readonly body: SyncMessage }[],
  remainingMs: () => number,
): Promise<Outcome[]> {
  const runs = new Map<string, Promise<Outcome>>();
  for (const [scoutId, messages] of Map.groupBy(batch, ({ body }) => body.scoutId)) {
    const [first] = messages;
    const causes = new Set(messages.map(({ body }) => body.cause));
    if (first) runs.set(scoutId, syncScout(ports, { ...first.body, causes }, remainingMs));
  }
  return Promise.all(batch.map(async ({ body }) => (await runs.get(body.scoutId)) ?? unsettled));
}
