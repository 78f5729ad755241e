/** A calendar month in UTC, `yyyy-mm`: what allowances are counted by. */
export type Month = string;

/** The month of a moment in UTC. @param atMs milliseconds since the epoch */
export function monthOf(atMs: number): Month {
  return new Date(atMs).toISOString().slice(0, 7);
}

/** The first moment of the month after, when allowances begin anew. */
export function nextMonthMs(atMs: number): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
}

/** Months before a moment's own, the newest first. */
export function monthsBefore(atMs: number, count: number): Month[] {
  const at = new Date(atMs);
  return Array.from({ length: count }, (_, before) =>
    monthOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - before - 1)),
  );
}
