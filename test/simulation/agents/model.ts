import { ScoutsError } from "../../../events/errors.ts";
import type { ModelCall, ToolModel } from "../../../shared/llm/tool-model.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { Outages } from "../outage.ts";
import type { Process } from "../process.ts";
import type { Simulation } from "../simulation.ts";
import { canary } from "./invariants.ts";
import { simulatedAnswer } from "./reader.ts";

/** A model that answers, asks for tools, asks for nonsense, fails, and takes its time. */
export class SimulatedToolModel {
  readonly outages: Outages;
  readonly #sim: Simulation;
  /** Prompts that soon use up what a person may use in a month. */
  readonly #mostTokens: number;

  constructor(sim: Simulation) {
    this.#sim = sim;
    this.outages = new Outages(sim);
    this.#mostTokens = sim.random.chance(0.2) ? 90_000 : 3_000;
  }

  for(process: Process): ToolModel {
    const { random, faults } = this.#sim;
    return {
      converse: async ({ toolChoice, signal, timeoutMs, form }, onText) => {
        this.outages.onAsked("a run's step", process);
        if (this.outages.hangs) {
          await process.call("model hangs", () => undefined, { latencyMs: this.outages.timedOutMs(timeoutMs) });
          throw new ScoutsError("model_timeout");
        }
        await process.call("model begins", () => undefined, { latencyMs: random.int(200, 15_000) });
        this.outages.refuse();
        if (faults.strikes("model_429")) throw new ScoutsError("model_rate_limited", { data: { retryAfterMs: 5_000 } });
        if (faults.strikes("model_500")) throw new ScoutsError("model_unavailable");
        const usage = {
          inputTokens: random.int(100, this.#mostTokens),
          outputTokens: random.int(1, 900),
        };
        if (faults.strikes("model_refusal")) throw new ScoutsError("model_refused", { data: usage });
        const answers = toolChoice === "none" ? random.chance(0.8) : random.chance(0.3);
        const calls = answers ? [] : drawn(() => random.next());
        const pieces = answers || random.chance(0.2) ? random.int(1, 5) : 0;
        let text = "";
        for (let at = 0; at < pieces && !signal.aborted; at += 1) {
          await process.call("model writes", () => undefined, { latencyMs: random.int(20, 2_000) });
          const isWhole = form !== undefined && at === 0 && random.chance(0.9);
          const piece = isWhole ? JSON.stringify(simulatedAnswer) : `${canary} word ${random.int(0, 999)} `;
          text += piece;
          await onText(new Transient(piece));
        }
        return { text: new Transient(text), calls: new Transient(calls), usage, model: "simulated" };
      },
    };
  }
}

function drawn(random: () => number): Omit<ModelCall, "callId">[] {
  const count = 1 + Math.floor(random() * 3);
  const nonsense = random() < 0.15;
  return Array.from({ length: count }, () => {
    if (nonsense || random() < 0.1) return { name: `${canary}_tool`, arguments: random() < 0.5 ? "{" : "{}" };
    return { name: "list_files", arguments: JSON.stringify({ path: canary }) };
  });
}
