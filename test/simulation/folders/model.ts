import type * as z from "zod";
import { ScoutsError } from "../../../events/errors.ts";
import type { ChatAnswer, ChatModel, ChatRequest } from "../../../shared/llm/chat-model.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { Outages } from "../outage.ts";
import type { Process } from "../process.ts";
import type { Simulation } from "../simulation.ts";
import { canary, type SimulatedFile } from "./files.ts";

/** A model that summarises and remembers what it would bill. */
export class SummaryProvider {
  billedTokens = 0;
  answers = 0;
  readonly outages: Outages;
  readonly #sim: Simulation;
  readonly #fileAt: (path: string) => SimulatedFile;

  constructor(sim: Simulation, fileAt: (path: string) => SimulatedFile) {
    this.#sim = sim;
    this.outages = new Outages(sim);
    this.#fileAt = fileAt;
  }

  /** The model as a process reaches it. */
  for(process: Process): ChatModel {
    return { complete: (request) => this.#complete(process, request) };
  }

  #complete<S extends z.ZodType>(process: Process, request: ChatRequest<S>): Promise<ChatAnswer<z.infer<S>>> {
    const { random, faults } = this.#sim;
    const path = /<file-content \w+ "([^"]+)">/.exec(request.user.reveal())?.[1] ?? "";
    const neededMs = faults.strikes("slow_call") ? random.int(5_000, 90_000) : random.int(200, 4_000);
    const latencyMs = Math.min(neededMs, Math.max(1_000, request.timeoutMs));
    this.outages.onAsked(path, process);
    if (this.outages.hangs) {
      const late = () => {
        throw new ScoutsError("model_timeout");
      };
      return process.call(`model ${path}`, late, { latencyMs: this.outages.timedOutMs(request.timeoutMs) });
    }
    const answer = () => {
      this.outages.refuse();
      if (faults.strikes("model_429")) {
        const retryAfterMs = random.pick([500, 20_000, 30 * 60_000]);
        throw new ScoutsError("model_rate_limited", { data: random.chance(0.5) ? { retryAfterMs } : {} });
      }
      if (faults.strikes("model_500")) throw new ScoutsError("model_unavailable");
      const made = this.#answer(process, this.#fileAt(path));
      // The client has given up on an answer that is billed all the same.
      if (neededMs > latencyMs) throw new ScoutsError("model_unavailable");
      return { ...made, value: new Transient(request.schema.parse(made.value)) };
    };
    return process.call(`model ${path}`, answer, { latencyMs });
  }

  #answer(process: Process, { relPath, nature }: SimulatedFile) {
    const { random, faults } = this.#sim;
    if (nature === "poison") process.kill("crashed");
    const usage = { inputTokens: random.int(100, 800), outputTokens: random.int(10, 90) };
    this.answers += 1;
    this.billedTokens += usage.inputTokens + usage.outputTokens;
    if (nature === "refused" || faults.strikes("model_refusal")) {
      throw new ScoutsError("model_refused", { data: { ...usage } });
    }
    if (nature === "invalid" || faults.strikes("model_invalid")) {
      throw new ScoutsError("model_answer_invalid", { data: { ...usage } });
    }
    const word = nature === "fickle" ? String(this.answers) : "always the same";
    return { value: { summary: `${canary} about ${relPath}: ${word}`, tag: "doc" }, usage, model: "sim-1" };
  }
}
