import type { CalendarEvent } from "../entities.ts";

/** What orders the revisions of an event. */
export type Revision = Pick<CalendarEvent, "sequence" | "stampedAt" | "status">;

/**
 * Whether a revision replaces another one, whatever order they come in: the higher SEQUENCE counts, of the same the one
 * written later (RFC 5546 §2.1.5), of two written at the same time the cancellation.
 */
export function isNewer(revision: Revision, than: Revision): boolean {
  if (revision.sequence !== than.sequence) return revision.sequence > than.sequence;
  const [written, before] = [revision.stampedAt ?? 0, than.stampedAt ?? 0];
  return written === before ? than.status !== "cancelled" : written > before;
}
