import type { ErrorCode } from "../../events/error-kinds.ts";
import { ScoutsError } from "../../events/errors.ts";
import type { Clock } from "../../shared/ports/clock.ts";
import type { FaultKind } from "./faults.ts";
import type { Simulation } from "./simulation.ts";

/** How a function's run ended; only `done` has a result, and after the others nothing of its memory remains. */
export type Ended<T> =
  | { readonly how: "done"; readonly value: T }
  | { readonly how: "threw"; readonly error: unknown }
  | { readonly how: "crashed" | "timed_out" };

export interface CallOptions {
  /** What the port throws when the service refuses; none: it does not refuse. */
  readonly refused?: ErrorCode;
  /** What the port throws when it is not known what happened; none: that does not occur. */
  readonly unknown?: ErrorCode;
  /** Whether a request already under way takes effect though its sender has died. */
  readonly writes?: boolean;
  readonly latencyMs?: number;
}

type PortFault = Extract<FaultKind, "crash_before" | "crash_after" | "throttle" | "lost_answer" | "applied_twice">;

const maxSkewMs = 5_000;
/** AWS's clients give up and try again within this time, so a request that succeeds has not taken longer. */
const maxSlowMs = 20_000;

/**
 * A simulated Lambda invocation: it computes in no time, and everything it does to the world goes through {@link call},
 * where it may crash, be refused, be left in the dark, be slow or run out of time.
 */
export class Process {
  readonly name: string;
  readonly clock: Clock;
  readonly #sim: Simulation;
  readonly #deadlineMs: number;
  #waitingFor = 0;
  #dead = false;
  #end: ((ended: Ended<never>) => void) | undefined;

  private constructor(sim: Simulation, name: string, timeoutMs: number) {
    const skewMs = sim.faults.strikes("clock_skew") ? sim.random.int(-maxSkewMs, maxSkewMs) : 0;
    this.name = name;
    this.clock = () => sim.nowMs + skewMs;
    this.#sim = sim;
    this.#deadlineMs = sim.nowMs + timeoutMs;
  }

  /** Runs `body` as a function of its own. The promise always resolves, at the end of the run whatever that was. */
  static run<T>(
    sim: Simulation,
    name: string,
    timeoutMs: number,
    body: (process: Process) => Promise<T>,
  ): Promise<Ended<T>> {
    const process = new Process(sim, name, timeoutMs);
    const { promise, resolve } = Promise.withResolvers<Ended<T>>();
    const finish = (ended: Ended<T>) => {
      cancelTimeout();
      process.#dead = true;
      sim.busy.delete(process);
      if (ended.how !== "done") sim.trace(`${name} ${ended.how}${ended.how === "threw" ? `: ${ended.error}` : ""}`);
      resolve(ended);
    };
    process.#end = finish;
    const cancelTimeout = sim.after(timeoutMs, `${name} timeout`, () => process.kill("timed_out"));
    sim.trace(`${name} starts`);
    sim.busy.add(process);
    body(process).then(
      (value) => process.#dead || finish({ how: "done", value }),
      (error: unknown) => process.#dead || finish({ how: "threw", error }),
    );
    return promise;
  }

  remainingMs(): number {
    return this.#deadlineMs - this.#sim.nowMs;
  }

  kill(how: "crashed" | "timed_out"): void {
    if (!this.#dead) this.#end?.({ how });
  }

  /** One request to a port. Never settles once the process is dead. */
  call<T>(what: string, effect: () => T | Promise<T>, options: CallOptions = {}): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (this.#dead) return promise;
    const sim = this.#sim;
    this.#waits(1);
    sim.after(this.#latencyMs(options), `${this.name} ${what}`, async () => {
      if (this.#dead) {
        if (options.writes && sim.random.chance(0.5)) await attempt(effect, undefined, options);
        return;
      }
      const fault = sim.faults.first(possible(options));
      sim.trace(`${this.name}: ${what}${fault ? ` [${fault}]` : ""}`);
      if (fault === "crash_before") return this.kill("crashed");
      const outcome = await attempt(effect, fault, options);
      if (fault === "crash_after") this.kill("crashed");
      if (this.#dead) return;
      this.#waits(-1);
      if ("error" in outcome) reject(outcome.error);
      else resolve(outcome.value);
    });
    return promise;
  }

  /** Waits for what another process comes to; for ever, once this one is dead. */
  async join<T>(other: Promise<T>): Promise<T> {
    this.#waits(1);
    const value = await other;
    if (this.#dead) return new Promise(() => {});
    this.#waits(-1);
    return value;
  }

  /** A timer of this process: nothing happens once it is dead. */
  after(delayMs: number, work: () => void): () => void {
    return this.#sim.after(delayMs, `${this.name} timer`, () => {
      if (!this.#dead) work();
    });
  }

  #latencyMs({ latencyMs }: CallOptions): number {
    const { random, faults } = this.#sim;
    if (latencyMs !== undefined) return latencyMs;
    if (faults.strikes("slow_call")) return random.int(1_000, maxSlowMs);
    return random.chance(0.9) ? random.int(1, 40) : random.int(40, 900);
  }

  #waits(change: 1 | -1): void {
    this.#waitingFor += change;
    if (this.#waitingFor === 0) this.#sim.busy.add(this);
    else this.#sim.busy.delete(this);
  }
}

/** What may go wrong with a call: a service that cannot refuse does not, and reads may be repeated unnoticed. */
function possible({ refused, unknown }: CallOptions): readonly PortFault[] {
  const answers: readonly PortFault[] = unknown ? ["lost_answer", "applied_twice"] : [];
  return ["crash_before", "crash_after", ...(refused ? (["throttle"] as const) : []), ...answers];
}

async function attempt<T>(
  effect: () => T | Promise<T>,
  fault: PortFault | undefined,
  { refused, unknown }: CallOptions,
): Promise<{ value: T } | { error: unknown }> {
  if (fault === "throttle" && refused) return { error: new ScoutsError(refused) };
  try {
    const first = await effect();
    if (fault === "lost_answer" && unknown) return { error: new ScoutsError(unknown) };
    return { value: fault === "applied_twice" && unknown ? await effect() : first };
  } catch (error) {
    return { error };
  }
}
