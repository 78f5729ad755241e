/**
 * How long a client of AWS waits, in milliseconds. The SDK by itself waits without end: a connection that broke while its
 * environment was frozen, or a service that hangs, would keep a function, and everything else of its batch, until its own time-out.
 *
 * What counts is silence on a connection. The SDK's `requestTimeout` counts from the call on, also while a request waits for one of
 * its client's 50 connections, as hundreds made at once do on a slow machine: it is not set.
 */
export interface Waits {
  /** For TCP to have a connection. It counts from the call on as well, so it is far more than the second after which TCP asks again. */
  readonly connectionTimeout: number;
  /**
   * For the first, and the next, bytes of an answer. From 6 s on the SDK begins to count when a request is 3 s old: were it less,
   * connections that are kept for the next request would be closed as soon.
   */
  readonly socketTimeout: number;
}

/** Every function outlives an attempt that waits so long (9 s), so that the next one may be answered. */
export const longestWaits: Waits = { connectionTimeout: 9_000, socketTimeout: 6_000 };

/**
 * A client's settings for it. After an attempt that waited too long comes the next, as the SDK tries again; the last ends in a
 * `TimeoutError` (`NodeHttpHandlerOptions` of @smithy/types).
 */
export const answeredInTime = (waits: Waits = longestWaits) => ({ requestHandler: waits });
