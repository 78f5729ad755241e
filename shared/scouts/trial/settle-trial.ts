import { monthOf } from "../../billing/month.ts";
import type { Result, Spent } from "../../billing/reservation.ts";
import type { TrialPorts, TrialStep, TrialWork } from "./trial-ports.ts";
import { tokensOf, trialOp } from "./trial-row.ts";
import type { Grant, Grants, OpenTrial } from "./try-items.ts";

/**
 * Counts the tokens a trial's items took, and forgets its purpose when every item has its result. A failure is only
 * noted: the results say what is owed, reservations past their time are settled from them, and the trial's row expires.
 */
export async function settleTrial(
  ports: TrialPorts,
  { row }: OpenTrial,
  works: readonly TrialWork[],
  steps: ReadonlyMap<TrialWork, TrialStep>,
  grants: Grants,
): Promise<void> {
  const [first] = works;
  if (!first) return;
  const { userId, trialId } = first.message;
  try {
    const spent = works.flatMap((each) => spentOn(steps.get(each), grants.get(each)));
    for (const [month, own] of Map.groupBy(spent, (each) => each.month)) await ports.budget.settle(userId, month, own);
    await settleLeftOpen(ports, works, steps, grants);
    if (row.sealed === undefined) return;
    const ended = works.some((each) => steps.get(each)?.kind === "ended");
    // Workers of one trial run side by side, so nobody is told apart as the last by what was there before.
    if (!ended) return;
    const { size } = await ports.trials.results(userId, trialId);
    if (size >= row.items.length) await ports.trials.completed(userId, trialId);
  } catch (error) {
    ports.log.error("trial_not_settled", error, { trialId });
  }
}

function spentOn(step: TrialStep | undefined, grant: Grant | undefined): (Spent & { readonly month: string })[] {
  if (!grant || !step) return [];
  if (step.kind === "ended") return [{ ...grant, result: tokensOf(step.row) }];
  return step.kind === "again" && step.released ? [{ ...grant, billed: step.billed ?? 0 }] : [];
}

/** What an earlier delivery left open: its worker died between the result and the settling. */
async function settleLeftOpen(
  ports: TrialPorts,
  works: readonly TrialWork[],
  steps: ReadonlyMap<TrialWork, TrialStep>,
  grants: Grants,
): Promise<void> {
  const results = new Map<string, Result>();
  for (const each of works) {
    const step = steps.get(each);
    const { message, receiveCount } = each;
    const begun = receiveCount > 1 || message.tries > 0 || message.waits > 0;
    if (!begun || grants.has(each) || step?.kind !== "ended") continue;
    results.set(trialOp(message.trialId, message.ref), tokensOf(step.row));
  }
  const [first] = works;
  if (!first || results.size === 0) return;
  await ports.budget.settleFromResults(
    first.message.userId,
    monthOf(ports.clock()),
    (op) => results.has(op),
    async () => results,
  );
}
