import { isScoutsError } from "../../../events/errors.ts";
import { failurePolicy } from "../../breaker/failure-policy.ts";
import { billedTokens, billedUsage } from "../../llm/billed-usage.ts";
import { delays } from "../../outcome/delays.ts";
import { asScoutsError, done, outcomeOf } from "../../outcome/outcome.ts";
import type { Triaged, TriagePorts } from "../triage/triage.ts";
import type { Attempt } from "./attempt.ts";
import { disabledBecause } from "./wait.ts";

/**
 * An item that is shown unjudged was to be judged after all, and was not. It waits where others would; a fault of its own
 * ends the try, and it stays as it is shown.
 */
export async function settleRedriven(ports: TriagePorts, tried: Attempt, error: unknown): Promise<Triaged> {
  const { id, row: shown, reservation } = tried;
  const { code } = asScoutsError(error);
  const nowMs = ports.clock();
  ports.log.error("triage_failed", error, { scoutId: id.scoutId, ref: id.ref });
  const outcome = outcomeOf(error, nowMs);
  if (outcome.kind === "drop" && isScoutsError(error, "item_gone")) {
    await ports.items.close({ ...id, openAt: shown?.openAt }, "gone", nowMs);
    return { outcome, released: true };
  }
  const policy = failurePolicy(code);
  const blame = policy?.suspectsModel
    ? await ports.breaker.blame(code, tried.startedAtMs, tried.remainingMs())
    : ({ whose: "item" } as const);
  const waits = blame.whose !== "item" || (outcome.kind === "defer" && !policy) || code === "model_rate_limited";
  if (waits && !disabledBecause(error)) {
    const untilMs = outcome.kind === "defer" ? outcome.untilMs : nowMs + delays.redriven;
    await ports.unjudged.putOff(id, blame.whose === "model" ? nowMs : untilMs);
    return { outcome: done, released: true, billed: billedTokens(error) };
  }
  const row = await ports.unjudged.stays(id, { code, reservation }, billedUsage(error));
  return row ? { outcome: done, ended: row } : { outcome: done, released: true };
}
