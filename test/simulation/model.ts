import type * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import type { Verdict } from "../../events/proposals/verdict.ts";
import type { ChatAnswer, ChatModel, ChatRequest, TokenUsage } from "../../shared/llm/chat-model.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { canary, type Nature } from "./mailbox.ts";
import { Outages } from "./outage.ts";
import type { Process } from "./process.ts";
import type { Simulation } from "./simulation.ts";

/** One billed answer; `model` names it, so that a row tells which answer it goes back to. */
export interface BilledAnswer {
  readonly model: string;
  readonly mailId: string;
  readonly usage: TokenUsage;
  readonly verdict: Verdict["verdict"] | "useless";
}

/** What the provider would put on its bill: every answer it gave, whether anybody heard it or not. */
export class ModelProvider {
  readonly answers: BilledAnswer[] = [];
  readonly outages: Outages;
  readonly #sim: Simulation;
  readonly #natureOf: (mailId: string) => Nature;

  constructor(sim: Simulation, natureOf: (mailId: string) => Nature) {
    this.#sim = sim;
    this.outages = new Outages(sim);
    this.#natureOf = natureOf;
  }

  /** The model as a process reaches it. */
  for(process: Process): ChatModel {
    return { complete: (request) => this.#complete(process, request) };
  }

  #complete<S extends z.ZodType>(process: Process, request: ChatRequest<S>): Promise<ChatAnswer<z.infer<S>>> {
    const { random, faults } = this.#sim;
    const mailId = /mail=(\w+)/.exec(request.user.reveal())?.[1] ?? "";
    const neededMs = faults.strikes("slow_call") ? random.int(5_000, 90_000) : random.int(200, 4_000);
    const latencyMs = Math.min(neededMs, Math.max(1_000, request.timeoutMs));
    this.outages.onAsked(`mail ${mailId}`, process);
    const nature = this.#natureOf(mailId);
    const hangs = this.outages.hangs || (nature === "stuck" && !this.outages.now);
    if (hangs) {
      const late = () => {
        throw new ScoutsError("model_timeout");
      };
      return process.call(`model ${mailId}`, late, { latencyMs: this.outages.timedOutMs(request.timeoutMs) });
    }
    const answer = () => {
      this.outages.refuse();
      if (nature === "denied") throw new ScoutsError("model_forbidden");
      if (nature === "failing") throw new ScoutsError("model_unavailable");
      if (faults.strikes("model_429")) {
        const retryAfterMs = random.pick([500, 20_000, 30 * 60_000]);
        throw new ScoutsError("model_rate_limited", { data: random.chance(0.5) ? { retryAfterMs } : {} });
      }
      if (faults.strikes("model_500")) throw new ScoutsError("model_unavailable");
      const value = this.#answer(process, mailId);
      // The client has given up on an answer that is billed all the same.
      if (neededMs > latencyMs) throw new ScoutsError("model_timeout");
      return { value: new Transient(request.schema.parse(value.verdict)), usage: value.usage, model: value.model };
    };
    return process.call(`model ${mailId}`, answer, { latencyMs });
  }

  #answer(process: Process, mailId: string): { verdict: Verdict; usage: TokenUsage; model: string } {
    const { random, faults } = this.#sim;
    const nature = this.#natureOf(mailId);
    if (nature === "poison") process.kill("crashed");
    const usage = { inputTokens: random.int(100, 900), outputTokens: random.int(10, 90) };
    const model = `sim-${this.answers.length}`;
    const bill = (verdict: BilledAnswer["verdict"]) => this.answers.push({ model, mailId, usage, verdict });
    if (nature === "refused" || faults.strikes("model_refusal")) {
      bill("useless");
      throw new ScoutsError("model_refused", { data: { ...usage } });
    }
    if (nature === "invalid" || faults.strikes("model_invalid")) {
      bill("useless");
      throw new ScoutsError("model_answer_invalid", { data: { ...usage } });
    }
    const spam = nature === "spam" || nature === "unsure" || (nature === "fickle" && random.chance(0.5));
    const verdict: Verdict = {
      verdict: spam ? "spam" : "relevant",
      reason: `${canary} reason`,
      reasonCode: spam ? "marketing" : "personal",
      confidence: nature === "unsure" ? 0.6 : 0.95,
    };
    bill(spam && nature !== "unsure" ? "spam" : "relevant");
    return { verdict, usage, model };
  }
}
