import type { AgentMessage } from "../../../events/queues.ts";
import { type PostPorts, postToSession } from "../../devices/session-post.ts";
import type { Log } from "../../ports/log.ts";
import type { Transient } from "../../privacy/transient.ts";

/** Pieces of an answer are sent at most so often. */
const flushEveryMs = 250;
/** While it is written, it is looked at so often whether the answer is still wanted. */
const lookEveryMs = 1_000;

export interface DeltaPorts {
  readonly post: PostPorts;
  readonly log: Log;
  readonly isCancelled: () => Promise<boolean>;
}

/** Sends a step's text while the model writes it. A courtesy: the whole text comes at the end, so failures are only noted. */
export class DeltaWriter {
  readonly #ports: DeltaPorts;
  readonly #message: AgentMessage;
  readonly #abort = new AbortController();
  #waiting = "";
  #seq = 0;
  #flushedAtMs: number;
  #lookedAtMs: number;
  #gone = false;

  constructor(ports: DeltaPorts, message: AgentMessage) {
    this.#ports = ports;
    this.#message = message;
    this.#flushedAtMs = ports.post.clock();
    this.#lookedAtMs = this.#flushedAtMs;
  }

  /** Aborted when the run has been cancelled. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  async write(piece: Transient<string>): Promise<void> {
    this.#waiting += piece.reveal();
    const nowMs = this.#ports.post.clock();
    if (nowMs - this.#flushedAtMs >= flushEveryMs) await this.flush();
    if (nowMs - this.#lookedAtMs < lookEveryMs) return;
    this.#lookedAtMs = nowMs;
    if (await this.#attempt(this.#ports.isCancelled)) this.#abort.abort();
  }

  async flush(): Promise<void> {
    if (this.#waiting === "" || this.#gone) return;
    const { runId, step } = this.#message;
    const frame = { type: "run_delta", runId, step, seq: this.#seq, text: this.#waiting } as const;
    this.#waiting = "";
    this.#seq += 1;
    this.#flushedAtMs = this.#ports.post.clock();
    this.#gone = (await this.#attempt(() => postToSession(this.#ports.post, this.#message, [frame]))) === "gone";
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#ports.log.error("delta_not_sent", error, { runId: this.#message.runId });
      return undefined;
    }
  }
}
