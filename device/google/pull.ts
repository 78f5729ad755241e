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
  /** Begins to pull. */
  start(onMessage: (message: PulledMessage) => void, onError: (error: Error) => void): void;
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

/**
 * Delivers whatever a subscription has, for a home that Google cannot push to. A message is acknowledged when its
 * delivery was, and not before: dying in between has it come again, which harms nothing.
 *
 * @param deliver whether the delivery was acknowledged
 * @param onProblem told what pulling or delivering failed with; it goes on as far as it can
 */
export function pull(
  source: PullSource,
  deliver: (delivery: Delivery) => Promise<boolean>,
  onProblem: (error: Error) => void,
): { close(): Promise<void> } {
  const underWay = new Set<Promise<void>>();
  let closing = false;

  async function handle(message: PulledMessage): Promise<void> {
    try {
      const { id, attributes } = message;
      const data = message.data.toString("base64");
      const accepted = await deliver({ id, data, attributes, publishedAtMs: message.publishTime.getTime() });
      if (accepted) message.ack();
      else message.nack();
    } catch (error) {
      message.nack();
      onProblem(error instanceof Error ? error : new Error("A delivery failed", { cause: error }));
    }
  }

  source.start((message) => {
    // What still comes while we end is for the next start.
    if (closing) return message.nack();
    const work = handle(message).finally(() => underWay.delete(work));
    underWay.add(work);
  }, onProblem);
  return {
    close: async () => {
      closing = true;
      await Promise.all(underWay);
      await source.close();
    },
  };
}
