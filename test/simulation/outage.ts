import type { ErrorCode } from "../../events/error-kinds.ts";
import { ScoutsError } from "../../events/errors.ts";
import type { ModelProbe, ModelProbeResult } from "../../shared/llm/model-probe.ts";
import type { Process } from "./process.ts";
import type { Simulation } from "./simulation.ts";

const minuteMs = 60_000;
const longestMs = 40 * minuteMs;
const abortLagMs = 2_000;
const wrongSettings = [
  "model_forbidden",
  "model_unknown",
  "model_quota_spent",
  "model_unreachable",
  "model_not_an_api",
] as const;

/** Whether the model can be asked: what all who ask it share, with what it has told those who only probe. */
export class Outages {
  /** Why nobody can ask it now, and since when. */
  now: { readonly code: ErrorCode; readonly sinceMs: number } | undefined;
  /** When it last told a probe that it cannot be asked, and why. */
  readonly refusedProbes: { readonly code: ErrorCode; readonly atMs: number }[] = [];
  /** Hears of every request of the work itself. */
  onAsked: (what: string, process: Process) => void = () => {};
  readonly #sim: Simulation;

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  /** It cannot be asked for a while, once or twice, for one reason or another; the operator mends it. */
  plan(durationMs: number): void {
    const { faults, random } = this.#sim;
    for (let times = 2; times > 0; times -= 1) {
      const kind = faults.first(["model_down", "model_hangs"]);
      if (!kind) continue;
      const code = kind === "model_hangs" ? "model_timeout" : random.pick(wrongSettings);
      const fromMs = random.int(0, durationMs);
      this.#sim.after(fromMs, `model: ${code}`, () => {
        this.#sim.trace(`the model cannot be asked: ${code}`);
        this.now = { code, sinceMs: this.#sim.nowMs };
      });
      this.#sim.after(fromMs + random.int(10_000, longestMs), "model mended", () => this.end());
    }
  }

  end(): void {
    if (this.now) this.#sim.trace("the model can be asked again");
    this.now = undefined;
  }

  /** Every request runs into its timeout. */
  get hangs(): boolean {
    return this.now?.code === "model_timeout";
  }

  /** How long a request takes that runs into its timeout: giving it up takes its time too. */
  timedOutMs(timeoutMs: number): number {
    return Math.max(1_000, timeoutMs) + this.#sim.random.int(0, abortLagMs);
  }

  /** @throws ScoutsError what a request is answered with that cannot be served */
  refuse(): void {
    if (this.now) throw new ScoutsError(this.hangs ? "model_unavailable" : this.now.code);
  }

  /** The probe as a process sends it. */
  probeFor(process: Process): ModelProbe {
    const { random, faults } = this.#sim;
    const refused = (code: ErrorCode): ModelProbeResult => {
      this.refusedProbes.push({ code, atMs: this.#sim.nowMs });
      return { ok: false, code };
    };
    return {
      probe: ({ timeoutMs }) => {
        const { hangs } = this;
        const latencyMs = hangs ? timeoutMs : random.int(100, 2_000);
        const answer = (): ModelProbeResult => {
          if (hangs) return refused("model_timeout");
          if (this.now) return refused(this.now.code);
          if (faults.strikes("model_429")) return refused("model_rate_limited");
          if (faults.strikes("model_500")) return refused("model_unavailable");
          return { ok: true };
        };
        return process.call("model probe", answer, { latencyMs });
      },
    };
  }
}
