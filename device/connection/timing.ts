/** Every time and bound the connection goes by. Milliseconds and bytes. */

/** For a socket to open, or for a ticket. */
export const openMs = 20_000;
export const ticketMs = 15_000;
/** For a socket to be closed by both sides before it is terminated. */
export const closeMs = 2_000;

/** For answers: to `hello`; to what is only written down; to what is read at its source first; to `ping`; to `bye`. */
export const greetingMs = 20_000;
export const acceptMs = 30_000;
export const readMs = 60_000;
export const pongMs = 30_000;
export const byeTimeoutMs = 2_000;
/** For what is still unanswered once a function of the cloud is known to have died. */
export const lostAnswerMs = 1_000;

/** Frames sent and not yet accepted, at most, and their size. */
export const windowFrames = 50;
export const windowBytes = 192 * 1024;
/** Above this many bytes that the socket has not sent, nothing is added for a moment. */
export const congestedBytes = 256 * 1024;
export const congestionPauseMs = 100;

/** A socket is replaced after this share of its life, at random in between, so that devices do not all return at once. */
export const rotationShare = { from: 0.85, to: 0.95 } as const;

/** Least wait after the cloud has cut the device off for sending too much: it allows 600 frames more by then. */
export const rateLimitedWaitMs = 30_000;
/**
 * TCP keep-alive (RFC 9293 §3.8.4) after this long without traffic: it costs no message, holds the mappings of NATs and
 * load balancers, which forget a silent connection after four minutes or more, and ends one whose other side is gone.
 */
export const tcpKeepAliveMs = 60_000;
