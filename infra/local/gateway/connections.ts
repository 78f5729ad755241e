import type { WebSocket } from "ws";
import type { Caller } from "./socket-event.ts";

/** Limits of WebSocket APIs: frame 32 KB, message 128 KB, idle 10 min, life 2 h ("Quotas for … a WebSocket API"). */
export const socketLimits = {
  frameBytes: 32 * 1024,
  messageBytes: 128 * 1024,
  idleMs: 10 * 60_000,
  lifeMs: 2 * 3_600_000,
} as const;

/** Timers and time, so that a test need not wait ten minutes. */
export interface Clock {
  now(): number;
  setTimeout(callback: () => void, delayMs: number): { cancel(): void };
}

export const systemClock: Clock = {
  now: Date.now,
  setTimeout(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
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

  /** Sends a text to the client. @returns whether it left this machine. */
  post(text: Buffer): Promise<boolean> {
    this.touch();
    return new Promise((resolve) => this.socket.send(text, { binary: false }, (error) => resolve(!error)));
  }

  end(): void {
    this.#ended = true;
    this.#life.cancel();
    this.#idle.cancel();
  }

  #armIdle() {
    return this.#clock.setTimeout(() => this.socket.close(1001, "Going away"), socketLimits.idleMs);
  }
}
