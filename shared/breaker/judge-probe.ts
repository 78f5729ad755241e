import type { ErrorCode } from "../../events/error-kinds.ts";
import { modelFailureClass } from "../llm/model-failure-class.ts";
import type { ModelProbeResult } from "../llm/model-probe.ts";

/** A server that is busy is given so many probes, and so long, before it counts as one that cannot be asked. */
const lastingProbes = 3;
const lastingMs = 2 * 60_000;

/** Whether the model is there, whatever it says: a refusal of our fixed text is an answer as well. */
export function isAnswer(result: ModelProbeResult): result is Extract<ModelProbeResult, { ok: true }> {
  return result.ok || !isOutage(result.code);
}

/** Whether a failed probe opens the breaker: a wrong configuration at once, a busy server when it lasts. */
export function opens(code: ErrorCode, failedProbes: number, failingMs: number): boolean {
  if (modelFailureClass(code) === "configuration") return true;
  return failedProbes >= lastingProbes && failingMs >= lastingMs;
}

function isOutage(code: ErrorCode): boolean {
  const of = modelFailureClass(code);
  return of === "configuration" || of === "busy" || code === "model_timeout";
}
