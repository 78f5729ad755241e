import type { WebSocket } from "ws";
import type { Caller } from "./socket-event.ts";

/** Limits of WebSocket APIs: frame 32 KB, message 128 KB, idle 10 min, life 2 h ("Quotas for … a WebSocket API"). */
export const socketLimits = {
  frameBytes: 32 * 1024,
  messageBytes: 128 * 1024,
  idleMs: 10 * 60_000,
  lifeMs: 2 * 3_600_000,
} as const;

/** Bytes that may wait for a client that reads slowly; what API Gateway holds is not published. */
export const heldBytes = 512 * 1024;
/** How long a post waits for such a client, once; until it reads again, later posts are refused without waiting. */
export const answerTimeoutMs = 1_000;

/** `full`: the client does not read what it has been sent. `gone`: it is not there. */
export type Posted = "sent" | "full" | "gone";

/** Timers and time, so that a test need not wait ten minutes. */
export interface Clock {
  now(): number;
  setTimeout(callback: () => void, delayMs: number): { cancel(): void };
}

/** `setTimeout` waits no longer than this (2^31 - 1 ms) and, asked for more, does not wait at all. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  setTimeout(callback, delayMs) {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number) => {
      const nextMs = Math.min(leftMs, longestTimerMs);
      timer = setTimeout(() => (leftMs > nextMs ? wait(leftMs - nextMs) : callback()), nextMs);
    };
    wait(delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** A live connection: what API Gateway knows of it, and its two timers. */
export class Connection {
  readonly caller: Caller;
  readonly socket: WebSocket;
  lastActiveAtMs: number;
  readonly #clock: Clock;
  readonly #life: { cancel(): void };
  #idle: { cancel(): void };
  #ended = false;
  #stalled = false;
  readonly #waiting = new Set<(room: boolean) => void>();

  constructor(caller: Caller, socket: WebSocket, clock: Clock) {
    this.caller = caller;
    this.socket = socket;
    this.#clock = clock;
    this.lastActiveAtMs = clock.now();
    this.#life = clock.setTimeout(() => socket.close(1001, "Going away"), socketLimits.lifeMs);
    this.#idle = this.#armIdle();
  }

  /** Traffic in either direction starts the idle time anew. */
  touch(): void {
    // A post may be under way while the connection ends: a timer armed then would outlive everything.
    if (this.#ended) return;
    this.lastActiveAtMs = this.#clock.now();
    this.#idle.cancel();
    this.#idle = this.#armIdle();
  }

  /** Sends a text to the client, or says why not. What was sent may still be on its way when the client goes. */
  async post(text: Buffer): Promise<Posted> {
    if (this.socket.bufferedAmount > heldBytes && !(await this.#room())) return this.#isOpen ? "full" : "gone";
    if (!this.#isOpen) return "gone";
    this.touch();
    this.socket.send(text, { binary: false }, () => {
      if (this.socket.bufferedAmount <= heldBytes) this.#wake(true);
    });
    return "sent";
  }

  get #isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** Whether the client reads on soon. A client that does not costs whoever posts to it one wait, not one each. */
  #room(): Promise<boolean> {
    if (this.#stalled || this.#ended) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.add(resolve);
    const timer = this.#clock.setTimeout(() => {
      this.#stalled = true;
      this.#wake(false);
    }, answerTimeoutMs);
    return promise.finally(() => timer.cancel());
  }

  #wake(room: boolean): void {
    if (room) this.#stalled = false;
    for (const resolve of this.#waiting) resolve(room);
    this.#waiting.clear();
  }

  end(): void {
    this.#ended = true;
    this.#life.cancel();
    this.#idle.cancel();
    this.#wake(false);
  }

  #armIdle() {
    return this.#clock.setTimeout(() => this.socket.close(1001, "Going away"), socketLimits.idleMs);
  }
}
