import type { ScoutsError } from "../../../events/errors.ts";
import type { OpenBreaker } from "../../breaker/breaker-row.ts";
import type { FailurePolicy } from "../../breaker/failure-policy.ts";
import { delays, exponentialDelayMs } from "../../outcome/delays.ts";
import { done } from "../../outcome/outcome.ts";
import { isRedriven } from "../items/item-row.ts";
import type { Triaged, TriagePorts } from "../triage/triage.ts";
import type { Attempt } from "./attempt.ts";
import { giveUp } from "./give-up.ts";
import { spendAttempt } from "./spend-attempt.ts";
import { postpone, wait } from "./wait.ts";

/**
 * A request that fails as if the model were to blame, while the model answers others: a proxy that objects to a mail's
 * words, say, or a server that a text brings to its knees. After so many times, over half an hour, its owner judges it.
 */
const maxAlone = 8;
const firstAloneMs = 15_000;
const longestAloneMs = 10 * 60_000;

/**
 * What becomes of an item the model was asked about in vain. Only its own failures spend its attempts; whose a failure
 * is, the breaker's probe tells.
 */
export async function settleModelFailure(
  ports: TriagePorts,
  tried: Attempt,
  error: ScoutsError,
  policy: FailurePolicy,
): Promise<Triaged> {
  const { code } = error;
  const { scoutId, ref } = tried.id;
  ports.log.error("triage_failed", error, { scoutId, ref });
  if (!policy.suspectsModel) return spendAttempt(ports, tried, code, error);
  const blame = await ports.breaker.blame(code, tried.startedAtMs, tried.remainingMs());
  if (blame.whose === "model") return holdItem(ports, tried, blame.open, error);
  if (blame.whose === "item" && policy.spendsAttempt) return spendAttempt(ports, tried, code, error);
  if (blame.whose === "item" && code !== "model_rate_limited") return failedAlone(ports, tried, error);
  const said = error.data["retryAfterMs"];
  const untilMs = ports.clock() + Math.max(typeof said === "number" ? said : 0, delays.probeUnclear);
  return { outcome: done, released: true, ...(await wait(ports, tried, { untilMs, code }, error)) };
}

/** The item waits as a row until the model can be asked again; the due cron, which looks at none meanwhile, queues it. */
export async function holdItem(
  ports: TriagePorts,
  tried: Attempt,
  { code }: OpenBreaker,
  error?: unknown,
): Promise<Triaged> {
  const { id, row } = tried;
  const nowMs = ports.clock();
  const outcome = { kind: "defer", untilMs: nowMs, code } as const;
  if (row && isRedriven(row)) {
    await ports.unjudged.putOff(id, nowMs);
    return { outcome, released: true };
  }
  return { outcome, released: true, ...(await postpone(ports, tried, { code, dueAtMs: nowMs }, error)) };
}

async function failedAlone(ports: TriagePorts, tried: Attempt, error: ScoutsError): Promise<Triaged> {
  const { row, seen } = await ports.items.counts(tried.id);
  const alone = seen.alone + 1;
  if (alone >= maxAlone) return giveUp(ports, { ...tried, row }, error.code, error);
  const againInMs = exponentialDelayMs(alone - 1, firstAloneMs, longestAloneMs);
  const dueAtMs = ports.clock() + delays.rowBehindQueue;
  const counted = await postpone(ports, tried, { code: error.code, dueAtMs, alone: 1 }, error);
  return { outcome: done, released: true, againInMs, ...counted };
}
