import type { SourceSees } from "../../../events/sources/sees.ts";
import type { Sees, SourceConnector } from "../connectors/connector.ts";
import type { ScoutRow } from "../scout-row.ts";
import { pollIntervalMs } from "../sync/schedule.ts";

/** What a scout sees, for an answer to its owner, beside how it hears of news. */
export function describeSees(
  { pollOnly }: SourceConnector,
  row: Pick<ScoutRow, "schedule" | "watchExpiresAt" | "watchFailureCode">,
  { place, folders, missing, items, unread }: Sees,
  nowMs: number,
): SourceSees {
  const { watchExpiresAt, watchFailureCode } = row;
  const watched = watchExpiresAt !== undefined && watchExpiresAt > nowMs;
  return {
    place: place.reveal(),
    folders: [...folders.reveal()],
    missing: [...missing.reveal()],
    items: items ?? null,
    unread: unread ?? null,
    pollEveryMs: pollIntervalMs(row.schedule, nowMs),
    push: pollOnly ? "never" : watched ? "on" : watchFailureCode === undefined ? "soon" : "off",
    pushCode: watched ? null : (watchFailureCode ?? null),
  };
}
