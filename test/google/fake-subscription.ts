import { randomUUID } from "node:crypto";
import type { PulledMessage, PullSource } from "../../device/google/pull.ts";

/** A subscription that is pulled from: what is not acknowledged comes again when it is told to. */
export class FakeSubscription implements PullSource {
  readonly acknowledged: string[] = [];
  readonly refused: string[] = [];
  closed = false;
  #onMessage: ((message: PulledMessage) => void) | undefined;
  #onError: ((error: Error) => void) | undefined;
  #onEnd: (() => void) | undefined;
  readonly #waiting: PulledMessage[] = [];

  starts = 0;

  start(onMessage: (message: PulledMessage) => void, onError: (error: Error) => void, onEnd: () => void): void {
    this.starts += 1;
    this.#onEnd = onEnd;
    this.#onMessage = onMessage;
    this.#onError = onError;
    for (const message of this.#waiting.splice(0)) onMessage(message);
  }

  /** Publishes; resolves when the message was acknowledged or refused, with which. */
  publish(payload: unknown, attributes: Record<string, string> = {}): Promise<"acknowledged" | "refused"> {
    const settled = Promise.withResolvers<"acknowledged" | "refused">();
    const id = randomUUID();
    const message: PulledMessage = {
      id,
      data: Buffer.from(JSON.stringify(payload)),
      attributes,
      publishTime: new Date("2026-11-20T09:00:00Z"),
      ack: () => {
        this.acknowledged.push(id);
        settled.resolve("acknowledged");
      },
      nack: () => {
        this.refused.push(id);
        settled.resolve("refused");
      },
    };
    if (this.#onMessage) this.#onMessage(message);
    else this.#waiting.push(message);
    return settled.promise;
  }

  fail(error: Error): void {
    this.#onError?.(error);
  }

  /** It ends by itself, as the real client does on what it takes to be final. */
  end(): void {
    this.#onEnd?.();
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}
