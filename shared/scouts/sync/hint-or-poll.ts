import type { SyncCause, SyncMessage } from "../../../events/queues.ts";
import type { NewId } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Queue } from "../../ports/queue.ts";
import type { ScoutRow } from "../scout-row.ts";
import { syncHint } from "./sync-hint.ts";

/**
 * Has a scout looked at whose row says that it is due now. Where no queue takes the word the poll looks within a minute: what its
 * person asked for is done, and is not told as failed.
 */
export async function hintOrPoll(
  { sync, newId, log }: { readonly sync: Queue<SyncMessage>; readonly newId: NewId; readonly log: Log },
  row: Pick<ScoutRow, "userId" | "scoutId" | "sourceType">,
  cause: SyncCause,
): Promise<void> {
  try {
    await sync.send([syncHint(row, cause, newId())]);
  } catch (error) {
    log.error("hint_not_sent", error, { scoutId: row.scoutId });
  }
}
