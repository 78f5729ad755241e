import { sessionsIndex, shardsOf } from "../keys.ts";
import type { Table } from "../ports/table.ts";

const pageSize = 100;

/**
 * Deletes everything in Sessions whose time is over. A row that was prolonged since the index said so stays.
 *
 * @returns how many rows were deleted
 */
export async function sweepSessions(sessions: Table, nowMs: number): Promise<number> {
  let deleted = 0;
  for (const hash of shardsOf("session")) {
    for (;;) {
      const page = await sessions.query({ index: sessionsIndex.expiry, hash, to: nowMs, limit: pageSize });
      const expired = { path: ["expiresAt"], is: "<=", value: nowMs } as const;
      const gone = await Promise.all(page.items.map(({ pk, sk }) => sessions.delete({ pk, sk }, expired)));
      const count = gone.filter(Boolean).length;
      deleted += count;
      // No progress means the index lags behind what was prolonged: the next tick sees it as it is.
      if (!page.next || count === 0) break;
    }
  }
  return deleted;
}
