import { Worker } from "node:worker_threads";
import { DeviceError } from "../../errors.ts";
import type { IndexAnswers, IndexOrder, IndexReply } from "./index-messages.ts";

/** Writes one project's index in a thread of its own: a merge takes seconds, in which nothing else may stand still. */
export class IndexThread {
  readonly #path: string;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;

  /** @param path of the index; it is opened by the first order */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Orders are done one after the other, none after {@link end} or {@link close}.
   *
   * @throws DeviceError `store_full`, `store_busy`, `store_unreadable`, `internal`
   */
  ask<T extends IndexOrder["do"]>(order: Extract<IndexOrder, { do: T }>): Promise<IndexAnswers[T]> {
    const asked = this.#last.then(() => this.#ask(order));
    // The next order is done whatever becomes of this one; who gave it hears of it.
    this.#last = asked.catch(() => undefined);
    return asked;
  }

  /** Waits for what was ordered, closes the index and ends the thread. @throws as {@link ask} */
  async close(): Promise<void> {
    if (this.#worker !== undefined) await this.ask({ do: "close" }).finally(() => this.end());
    this.#isOver = true;
  }

  /** Ends the thread; what it had committed stays. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#isOver = true;
    await worker?.terminate();
  }

  async #ask<T extends IndexOrder["do"]>(order: Extract<IndexOrder, { do: T }>): Promise<IndexAnswers[T]> {
    const worker = this.#started();
    const answer = Promise.withResolvers<IndexReply>();
    const failed = (cause: unknown) => {
      this.#isOver = true;
      answer.reject(new DeviceError("internal", { cause }));
    };
    const exited = () => failed(hasEnded());
    worker.once("message", answer.resolve).once("error", failed).once("exit", exited);
    try {
      worker.postMessage(order);
      const { value, failure } = await answer.promise;
      if (failure !== undefined) {
        const { code, message } = failure;
        throw new DeviceError(code ?? "internal", {
          ...(code !== null && { sentence: message }),
          cause: new Error(message),
        });
      }
      // The thread answers each order with its own kind of value; TypeScript cannot see that across threads.
      return value as IndexAnswers[T];
    } finally {
      worker.off("message", answer.resolve).off("error", failed).off("exit", exited);
    }
  }

  #started(): Worker {
    // One that began now would be ended by nobody, and keep its process from ending.
    if (this.#isOver) throw new DeviceError("internal", { cause: hasEnded() });
    this.#worker ??= new Worker(new URL("./index-worker.ts", import.meta.url), {
      workerData: this.#path,
      env: {},
      execArgv: [],
    });
    return this.#worker;
  }
}

const hasEnded = () => new Error("The thread that writes the index has ended.");
