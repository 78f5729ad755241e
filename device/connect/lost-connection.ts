/** Of the system, and of Node's undici, which is behind its fetch. */
const codes = new Set<unknown>([
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ECONNRESET",
  "EPIPE",
]);

/** Whether somebody was there, and the connection ended without their answer: what was asked for may have been done. */
export function wasLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && codes.has(error.code)) || wasLost(error.cause);
}
