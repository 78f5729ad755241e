import type { AgentMessage } from "../../../events/queues.ts";
import { type PostPorts, postToSession } from "../../devices/session-post.ts";
import type { After } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Transient } from "../../privacy/transient.ts";

/** Pieces of an answer are sent at most so often. */
const flushEveryMs = 250;
/** Until the model is done it is looked at so often whether the answer is still wanted, also while it says nothing. */
const lookEveryMs = 1_000;

export interface DeltaPorts {
  readonly post: PostPorts;
  readonly log: Log;
  readonly after: After;
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
  #cancelLook: () => void;
  #isClosed = false;
  #gone = false;

  constructor(ports: DeltaPorts, message: AgentMessage) {
    this.#ports = ports;
    this.#message = message;
    this.#flushedAtMs = ports.post.clock();
    this.#cancelLook = this.#lookLater();
  }

  /** Aborted when the run has been cancelled. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  async write(piece: Transient<string>): Promise<void> {
    this.#waiting += piece.reveal();
    if (this.#ports.post.clock() - this.#flushedAtMs >= flushEveryMs) await this.flush();
  }

  /** Whether the answer is wanted is not looked at any more: the model is done. */
  close(): void {
    this.#isClosed = true;
    this.#cancelLook();
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

  #lookLater(): () => void {
    return this.#ports.after(lookEveryMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    const isCancelled = await this.#attempt(this.#ports.isCancelled);
    if (this.#isClosed) return;
    if (isCancelled) this.#abort.abort();
    else this.#cancelLook = this.#lookLater();
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
