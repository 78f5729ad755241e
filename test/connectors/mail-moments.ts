const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A moment as a mail server says it (RFC 9051, date-time), so many milliseconds from now. */
export function serverMoment(inMs: number): string {
  const at = new Date(Date.now() + inMs);
  const day = `${String(at.getUTCDate()).padStart(2, "0")}-${months[at.getUTCMonth()]}-${at.getUTCFullYear()}`;
  return `${day} ${at.toISOString().slice(11, 19)} +0000`;
}
