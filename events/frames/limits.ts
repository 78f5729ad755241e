/** The protocol's version; `hello` names it and another one is refused. */
export const protocolVersion = 1;

/** Limits of API Gateway WebSocket APIs (quotas page) and our own, told to the device in `session_ready`. */
export const socketLimits = {
  frameBytes: 32 * 1024,
  messageBytes: 128 * 1024,
  idleMs: 10 * 60_000,
  lifeMs: 2 * 3_600_000,
  pageSize: 50,
  /** Proposals a `scout_proposals_ack` may name; a cloud that does not tell it takes one ack a frame. */
  acksPerFrame: 50,
  /** Items a `scout_items_request` may name; a cloud that does not tell it takes one request a frame. */
  itemsPerFrame: 8,
  /** Below `idleMs` with room for a late timer; docs/decisions/0023 says why no more often. */
  pingEveryMs: 8 * 60_000,
} as const;
