import type { Clock } from "../connection/clock.ts";

/** A message as Pub/Sub's client hands it out; handled before its lease ends, or it comes again. */
export interface PulledMessage {
  readonly id: string;
  readonly data: Buffer;
  readonly attributes: Readonly<Record<string, string>>;
  readonly publishTime: Date;
  ack(): void;
  /** Have it delivered again, by the subscription's retry policy. */
  nack(): void;
}

/** A subscription that is pulled from. */
export interface PullSource {
  /**
   * Begins to pull.
   *
   * @param onError told what went wrong
   * @param onEnd told when it has ended by itself; it may be started again
   */
  start(onMessage: (message: PulledMessage) => void, onError: (error: Error) => void, onEnd: () => void): void;
  /** Ends pulling; acknowledgements given before are sent. */
  close(): Promise<void>;
}

/** What is delivered: as a push would carry it, `data` in base64. */
export interface Delivery {
  readonly id: string;
  readonly data: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly publishedAtMs: number;
}

/** What has ended is started again after so long, then after twice as long, four times … */
const firstRetryMs = 5_000;
const longestRetryMs = 5 * 60_000;
/** What has gone on for so long begins to be retried, and told of, anew. */
const holdsMs = 10 * 60_000;

/**
 * Delivers whatever a subscription has, for a home that Google cannot push to. A message is acknowledged when its
 * delivery was, and not before: dying in between has it come again, which harms nothing.
 *
 * @param deliver whether the delivery was acknowledged
 * @param onProblem told what pulling or delivering failed with, of several times in a row once; it goes on as far as it can, and is
 * begun again where it cannot: credentials that were refused may be good later, and a machine that was offline is not for ever
 */
export function pull(
  source: PullSource,
  deliver: (delivery: Delivery) => Promise<boolean>,
  onProblem: (error: Error) => void,
  { after }: Pick<Clock, "after">,
): { close(): Promise<void> } {
  const underWay = new Set<Promise<void>>();
  let closing = false;
  let retryMs = firstRetryMs;
  let told: string | undefined;
  let stopWaiting = () => {};

  async function handle(message: PulledMessage): Promise<void> {
    try {
      const { id, attributes } = message;
      const data = message.data.toString("base64");
      const accepted = await deliver({ id, data, attributes, publishedAtMs: message.publishTime.getTime() });
      if (accepted) {
        message.ack();
        told = undefined;
      } else message.nack();
    } catch (error) {
      message.nack();
      tell(error instanceof Error ? error : new Error("A delivery failed", { cause: error }));
    }
  }

  function take(message: PulledMessage): void {
    // What still comes while we end is for the next start.
    if (closing) {
      message.nack();
      return;
    }
    const work = handle(message).finally(() => underWay.delete(work));
    underWay.add(work);
  }

  function tell(error: Error): void {
    if (closing || error.message === told) return;
    told = error.message;
    onProblem(error);
  }

  function start(): void {
    stopWaiting = after(holdsMs, () => {
      retryMs = firstRetryMs;
      told = undefined;
    });
    source.start(take, tell, () => {
      stopWaiting();
      if (closing) return;
      stopWaiting = after(retryMs, start);
      retryMs = Math.min(2 * retryMs, longestRetryMs);
    });
  }

  start();
  return {
    close: async () => {
      closing = true;
      stopWaiting();
      await Promise.all(underWay);
      await source.close();
    },
  };
}
