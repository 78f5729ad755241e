import { type FaultKind, Faults } from "./faults.ts";
import { SeededRandom } from "./random.ts";

/** 2026-01-05T00:00:00Z, where every run begins. */
const beginMs = Date.UTC(2026, 0, 5);
/**
 * Cryptography is done in threads of the process, which a busy machine may leave waiting for seconds: only a process that
 * waits for so long and so many turns is taken to hang.
 */
const maxIdleTurns = 100_000;
const maxIdleMs = 60_000;

interface Step {
  readonly atMs: number;
  readonly order: number;
  readonly name: string;
  readonly run: () => void | Promise<void>;
  cancelled: boolean;
}

export interface Violation {
  readonly rule: string;
  readonly detail: string;
  readonly atMs: number;
}

export interface SimulationOptions {
  readonly seed: number;
  /** Only these kinds of faults; all when left out. */
  readonly only?: readonly FaultKind[];
  /** Hears every step; for `--trace`. */
  readonly onTrace?: (line: string) => void;
}

/**
 * The heart of a run: a virtual clock and a list of steps in the order of their times, each run to its end before the
 * next. Whoever waits for a port waits for such a step, and how long each takes is drawn: so the seed decides in which
 * order everything happens.
 */
export class Simulation {
  readonly seed: number;
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly violations: Violation[] = [];
  /** Processes that compute and wait for no step: the next step waits for them. */
  readonly busy = new Set<object>();
  /** A number that depends on every step taken so far: two runs that share it were the same. */
  fingerprint = 0;
  steps = 0;
  nowMs = beginMs;
  readonly #heap: Step[] = [];
  readonly #onTrace: ((line: string) => void) | undefined;
  #order = 0;

  constructor(options: SimulationOptions) {
    this.seed = options.seed;
    this.random = new SeededRandom(options.seed);
    this.faults = new Faults(this.random, options.only);
    this.#onTrace = options.onTrace;
  }

  /** Puts a step on the list; the returned function takes it off. */
  after(delayMs: number, name: string, run: () => void | Promise<void>): () => void {
    const step: Step = {
      atMs: this.nowMs + Math.max(0, Math.ceil(delayMs)),
      order: this.#order,
      name,
      run,
      cancelled: false,
    };
    this.#order += 1;
    push(this.#heap, step);
    return () => {
      step.cancelled = true;
    };
  }

  /** Runs all steps of the next stretch of time; ends early at a violation. */
  async runFor(durationMs: number): Promise<void> {
    const untilMs = this.nowMs + durationMs;
    for (;;) {
      const next = this.#heap[0];
      if (this.violations.length > 0) return;
      if (!next || next.atMs > untilMs) break;
      pop(this.#heap);
      if (next.cancelled) continue;
      this.nowMs = Math.max(this.nowMs, next.atMs);
      this.steps += 1;
      this.#remember(next);
      await next.run();
      await this.#quiet();
    }
    this.nowMs = untilMs;
  }

  trace(line: string): void {
    this.#onTrace?.(`${new Date(this.nowMs).toISOString().slice(5, 23)}  ${line}`);
  }

  violate(rule: string, detail: string): void {
    this.trace(`VIOLATION ${rule}: ${detail}`);
    this.violations.push({ rule, detail, atMs: this.nowMs });
  }

  /** Until every process waits for a step: promises are settled, and work outside them (cryptography) is done. */
  async #quiet(): Promise<void> {
    const startedAt = performance.now();
    for (let turns = 0; ; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.busy.size === 0) return;
      if (turns > maxIdleTurns && performance.now() - startedAt > maxIdleMs)
        throw new Error(`A process hangs without waiting for a port (seed ${this.seed})`);
    }
  }

  #remember({ name, atMs }: Step): void {
    let hash = this.fingerprint;
    for (let index = 0; index < name.length; index += 1) hash = (Math.imul(hash, 31) + name.charCodeAt(index)) | 0;
    this.fingerprint = (Math.imul(hash, 31) + (atMs % 1_000_000_007)) | 0;
  }
}

function earlier(a: Step, b: Step): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

function push(heap: Step[], step: Step): void {
  let at = heap.length;
  heap.push(step);
  while (at > 0) {
    const parentAt = (at - 1) >> 1;
    const parent = heap[parentAt];
    if (!parent || !earlier(step, parent)) break;
    heap[at] = parent;
    heap[parentAt] = step;
    at = parentAt;
  }
}

function pop(heap: Step[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const leftAt = at * 2 + 1;
    const left = heap[leftAt];
    const right = heap[leftAt + 1];
    if (!left) break;
    const [child, childAt] = right && earlier(right, left) ? [right, leftAt + 1] : [left, leftAt];
    if (!earlier(child, last)) break;
    heap[at] = child;
    at = childAt;
  }
  heap[at] = last;
}
