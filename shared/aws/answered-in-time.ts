/**
 * How long a client of AWS waits, in milliseconds. The SDK by itself waits without end: a connection that broke while its
 * environment was frozen, or a service that hangs, would keep a function, and everything else of its batch, until its own time-out.
 */
interface Waits {
  /** For one of the client's 50 connections, until TCP has it. */
  readonly connectionTimeout: number;
  /** For the head of an answer, from the beginning of its request. */
  readonly requestTimeout: number;
  /**
   * For the next bytes of an answer that has begun. From 6 s on the SDK sets it for requests of more than 3 s only: on the others it
   * would close, as soon, the connections that are kept for the next request.
   */
  readonly socketTimeout: number;
}

/** TCP asks again after one second when its first packet was lost. */
const connectionTimeout = 1_500;

/**
 * For tables, queues and keys: they answer within milliseconds, in at most 1 MB. All attempts, four at DynamoDB, end before the
 * shortest time-out of a function, 10 s, which can so still say what failed. No function waits for messages (SQS's long polling):
 * Lambda does.
 */
export const smallAnswers: Waits = { connectionTimeout, requestTimeout: 2_000, socketTimeout: 6_000 };

/** For objects, which are longer on their way; only functions with a minute and more read or write them. */
export const objectAnswers: Waits = { connectionTimeout, requestTimeout: 10_000, socketTimeout: 10_000 };

/**
 * A client's settings for it. After an attempt that waited too long comes the next, as the SDK tries again; the last ends in a
 * `TimeoutError`. Without `throwOnRequestTimeout` an attempt is only warned of (`NodeHttpHandlerOptions` of @smithy/types).
 */
export const answeredInTime = (waits: Waits) => ({ requestHandler: { ...waits, throwOnRequestTimeout: true } });
