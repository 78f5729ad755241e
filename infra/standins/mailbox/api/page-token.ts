import { googleErrors } from "../google-error.ts";

/** Page tokens are opaque to callers: what a token means is wrapped so that nobody is tempted to build one. */
export function makePageToken(position: string): string {
  return Buffer.from(`p1:${position}`).toString("base64url");
}

/** The position in a page token; throws Google's 400 for anything else. */
export function readPageToken(token: string): string {
  const text = Buffer.from(token, "base64url").toString();
  if (!text.startsWith("p1:")) throw googleErrors.invalidArgument("Invalid pageToken");
  return text.slice(3);
}

/** `maxResults`: 100 unless told, never more than 500 (reference of both list methods). */
export function readMaxResults(query: URLSearchParams): number {
  const text = query.get("maxResults");
  if (text === null) return 100;
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) {
    throw googleErrors.invalidArgument(`Invalid value at 'max_results' (TYPE_UINT32), "${text}"`);
  }
  return Math.min(500, Number(text));
}
