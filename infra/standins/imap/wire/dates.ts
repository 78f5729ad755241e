const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (number: number) => String(number).padStart(2, "0");

/** `"20-Nov-2026 09:00:00 +0000"` (RFC 3501 §9, `date-time`), in UTC, without the quotes. */
export function writeDateTime(atMs: number): string {
  const at = new Date(atMs);
  const day = `${String(at.getUTCDate()).padStart(2, " ")}-${months[at.getUTCMonth()]}-${at.getUTCFullYear()}`;
  return `${day} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} +0000`;
}

/** The same, read; `undefined` when it is none. */
export function parseDateTime(text: string): number | undefined {
  const form = /^ ?(\d{1,2})-([A-Z][a-z]{2})-(\d{4}) (\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/;
  const [, day, month, year, time, hours, minutes] = form.exec(text) ?? [];
  const atMs = Date.parse(`${day} ${month} ${year} ${time} ${hours}${minutes}`);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** A day as searches name it, `20-Nov-2026`: its beginning in UTC. */
export function parseDay(text: string): number | undefined {
  const [, day, month = "", year] = /^(\d{1,2})-([A-Za-z]{3})-(\d{4})$/.exec(text) ?? [];
  const index = months.findIndex((name) => name.toLowerCase() === month.toLowerCase());
  return index < 0 ? undefined : Date.UTC(Number(year), index, Number(day));
}
