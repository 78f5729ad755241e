import type { ErrorCode } from "../../../events/error-kinds.ts";
import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import type { ItemRef } from "../../../events/ids.ts";
import type { TrialMessage } from "../../../events/queues.ts";
import { type Month, nextMonthMs } from "../../billing/month.ts";
import type { Reservation } from "../../billing/reservation.ts";
import { monthlyCap } from "../../billing/tiers.ts";
import { failurePolicy } from "../../breaker/failure-policy.ts";
import { probeReserveMs } from "../../breaker/model-breaker.ts";
import { billedTokens } from "../../llm/billed-usage.ts";
import { triedAgain } from "../../outcome/grouped-batch.ts";
import { retryPolicies } from "../../outcome/next-try.ts";
import { asScoutsError, outcomeOf } from "../../outcome/outcome.ts";
import { isolatePoison } from "../../outcome/poison-isolation.ts";
import { isMuted } from "../lifecycle/mute-sender.ts";
import { SourceThrottle } from "../quota/source-throttle.ts";
import { disabledBecause } from "../settle/wait.ts";
import { tokensPerVerdict } from "../triage/admission.ts";
import { askForVerdict, loadScout, type ScoutInBatch } from "../triage/triage.ts";
import type { TrialPorts, TrialStep, TrialWork } from "./trial-ports.ts";
import { type TrialRow, type TriedRow, trialContext, trialOp } from "./trial-row.ts";

/**
 * An item that has taken its worker with it so often is not tried again but answered. infra/queues.ts sets a message aside
 * after five receives: that leaves two for the answer.
 */
const maxTriedReceives = 3;

/** A trial whose items can be judged. */
export interface OpenTrial {
  readonly row: TrialRow;
  readonly results: ReadonlyMap<ItemRef, TriedRow>;
  /** With the purpose that is tried in place of its own; the code that keeps it from its source. */
  readonly scout: ScoutInBatch | { readonly off: ErrorCode };
}

/** Tokens set aside for an item. */
export interface Grant {
  readonly month: Month;
  readonly request: Reservation;
}
export type Grants = ReadonlyMap<TrialWork, Grant>;

/** Everything a trial's messages refer to; why nothing of it is to be done where nobody waits for it any more. */
export async function openTrial(
  ports: TrialPorts,
  { userId, scoutId, trialId }: TrialMessage,
): Promise<OpenTrial | { readonly dropped: ErrorCode }> {
  const row = await ports.trials.get(userId, trialId, ports.clock());
  if (!row) return { dropped: "trial_unknown" };
  const results = await ports.trials.results(userId, trialId);
  try {
    const scout = await loadScout(ports, { userId, scoutId });
    // Forgotten when all items have their results: nothing is judged by it any more.
    if (row.sealed === undefined) return { row, results, scout };
    const sealer = await ports.vault();
    const purpose = await sealer.open(row.sealed, trialContext({ userId, scoutId, trialId }));
    const profile = scout.profile.map((own) => ({ ...own, purpose: purpose.reveal() }));
    return { row, results, scout: { ...scout, profile } };
  } catch (error) {
    if (isScoutsError(error, "scout_not_found") || isScoutsError(error, "scout_deleting"))
      return { dropped: error.code };
    const off = disabledBecause(error);
    if (off) return { row, results, scout: { off } };
    throw error;
  }
}

/** Takes items of a trial a step further, as far as source, budget and model allow; what it reserved is returned. */
export async function tryItems(
  ports: TrialPorts,
  open: OpenTrial,
  works: readonly TrialWork[],
  steps: Map<TrialWork, TrialStep>,
  remainingMs: () => number,
): Promise<Grants> {
  const { scout, results } = open;
  const end = async (each: TrialWork, code: ErrorCode) => steps.set(each, await finished(ports, each, { code }));
  const left: TrialWork[] = [];
  for (const each of works) {
    const row = results.get(each.message.ref);
    if (row) steps.set(each, { kind: "ended", row });
    else if ("off" in scout) await end(each, scout.off);
    else if (each.receiveCount > maxTriedReceives) await end(each, "attempts_exhausted");
    else left.push(each);
  }
  if ("off" in scout || left.length === 0) return new Map();
  // Somebody looks on: a model that cannot be asked is told at once.
  const held = await ports.breaker.current();
  if (held) {
    for (const each of left) await end(each, held.code);
    return new Map();
  }
  const limits = ports.connectors.get(scout.row.sourceType)?.limits;
  const taken = await ports.quota.take(scout.row, limits, left.length * (limits?.costs.read ?? 0));
  if (!taken.granted) {
    const spent = new ScoutsError("source_quota_spent", { data: { retryAfterMs: taken.untilMs - ports.clock() } });
    for (const each of left) steps.set(each, await failed(ports, each, spent));
    return new Map();
  }
  const grants = await reserve(ports, open.row, scout, left, steps);
  const throttle = new SourceThrottle(ports);
  await isolatePoison(
    left.filter((each) => grants.has(each)),
    ({ message }) => message.ref,
    ({ receiveCount }) => receiveCount,
    async (each) => {
      const reservation = grants.get(each)?.request.id;
      const startedAtMs = ports.clock();
      try {
        steps.set(each, await judged(ports, scout, each, reservation, remainingMs));
      } catch (error) {
        const { code } = asScoutsError(error);
        if (failurePolicy(code)?.suspectsModel) await ports.breaker.blame(code, startedAtMs, remainingMs());
        steps.set(each, await failed(ports, each, await throttle.record(scout.row, error), reservation));
      }
    },
  );
  return grants;
}

/** Sets tokens aside for all of them in one conditional write; who gets none waits, or is told that the month is used up. */
async function reserve(
  ports: TrialPorts,
  { trialId }: TrialRow,
  { row, account }: ScoutInBatch,
  left: readonly TrialWork[],
  steps: Map<TrialWork, TrialStep>,
): Promise<Grants> {
  const byOp = new Map(left.map((each) => [trialOp(trialId, each.message.ref), each]));
  const requests = [...byOp.keys()].map((op) => ({ op, within: row.scoutId, tokens: tokensPerVerdict, base: 0 }));
  const within = new Map(row.monthlyTokens === undefined ? [] : [[row.scoutId, row.monthlyTokens]]);
  const caps = { total: monthlyCap(account.tier, "triage"), within };
  const { month, granted, refused } = await ports.budget.reserve(row.userId, requests, caps);
  const grants = new Map<TrialWork, Grant>();
  for (const request of granted) {
    const each = byOp.get(request.op);
    if (each) grants.set(each, { month, request });
  }
  const nowMs = ports.clock();
  for (const { request, untilMs } of refused) {
    const each = byOp.get(request.op);
    if (!each) continue;
    // Next month is for the scout's own work to wait for.
    if (untilMs === nextMonthMs(nowMs)) steps.set(each, await finished(ports, each, { code: "quota_exceeded" }));
    else {
      const contended = new ScoutsError("quota_exceeded", { data: { retryAfterMs: untilMs - nowMs } });
      steps.set(each, await failed(ports, each, contended));
    }
  }
  return grants;
}

async function judged(
  ports: TrialPorts,
  scout: ScoutInBatch,
  each: TrialWork,
  reservation: string | undefined,
  remainingMs: () => number,
): Promise<TrialStep> {
  const connector = ports.connectors.get(scout.row.sourceType);
  if (!connector) throw new ScoutsError("source_unknown");
  const content = await connector.fetchContent(scout.row, each.message.ref);
  if (!content.present) throw new ScoutsError("item_gone");
  if (isMuted(scout.row, scout.profile, content.sender)) {
    return finished(ports, each, { verdict: "spam", reasonCode: "muted", confidence: 1, reservation });
  }
  const { verdict, answer } = await askForVerdict(ports, scout, content, remainingMs() - probeReserveMs);
  const { reason: _, ...codes } = verdict.reveal();
  const { inputTokens, outputTokens } = answer.usage;
  return finished(ports, each, { ...codes, tokens: inputTokens + outputTokens, reservation });
}

/** A fault that may pass is a new message with a delay; any other is the item's result. */
async function failed(
  ports: TrialPorts,
  each: TrialWork,
  error: unknown,
  reservation?: string | undefined,
): Promise<TrialStep> {
  const again = afterFault(ports, error, each, true);
  const billed = billedTokens(error);
  const { code } = asScoutsError(error);
  ports.log.error("trial_item_failed", error, { trialId: each.message.trialId, again: again !== undefined });
  if (again) {
    const message = billed === 0 ? again.message : { ...again.message, billed: (again.message.billed ?? 0) + billed };
    return { ...again, message, billed };
  }
  return finished(ports, each, { code, tokens: billed, reservation });
}

/** When to try again after a fault; undefined when it would not pass, or not soon. */
export function afterFault(
  { clock }: TrialPorts,
  error: unknown,
  { message }: TrialWork,
  released: boolean,
): Extract<TrialStep, { kind: "again" }> | undefined {
  if (failurePolicy(asScoutsError(error).code)?.answersAtOnce === true) return undefined;
  const nowMs = clock();
  const again = triedAgain(message, retryPolicies.trials, outcomeOf(error, nowMs), nowMs);
  return again && { kind: "again", ...again, released };
}

/** Never throws: when it is not known whether the result was written, the next delivery finds out. */
async function finished(
  ports: TrialPorts,
  each: TrialWork,
  end: { readonly [K in keyof TriedRow]?: TriedRow[K] | undefined },
): Promise<TrialStep> {
  const { userId, trialId, ref, billed: billedBefore } = each.message;
  try {
    return {
      kind: "ended",
      row: await ports.trials.finish(userId, trialId, { tokens: 0, ...end, billedBefore, ref }, ports.clock()),
    };
  } catch (error) {
    ports.log.error("trial_item_not_finished", error, { trialId });
    return afterFault(ports, error, each, false) ?? { kind: "lost", code: asScoutsError(error).code };
  }
}
