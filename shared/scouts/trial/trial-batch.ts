import type { TrialMessage } from "../../../events/queues.ts";
import { settleSteps, workInGroups } from "../../outcome/grouped-batch.ts";
import { asScoutsError, type Outcome } from "../../outcome/outcome.ts";
import type { Received } from "../triage/triage-batch.ts";
import { settleTrial } from "./settle-trial.ts";
import type { TrialPorts, TrialStep, TrialWork } from "./trial-ports.ts";
import { afterFault, openTrial, tryItems } from "./try-items.ts";

/**
 * Judges a batch of items by the purposes that are tried, each trial's part by itself:
 *
 *   reserve tokens ─▶ read ─▶ ask the model ─▶ the item's result, first writer wins ─▶ settle by the result ─▶ forget the purpose
 *
 * Dying between any two of these repeats the later ones and nothing else: an item that has its result is only settled
 * again. Nothing is written about the items themselves, and nothing is done at the source.
 * Outcomes come in the order of the messages.
 */
export async function trialBatch(
  ports: TrialPorts,
  batch: readonly Received<TrialMessage>[],
  remainingMs: () => number,
): Promise<Outcome[]> {
  return workInGroups(batch, { nameOf, groupOf }, (own) => workOn(ports, own, remainingMs));
}

async function workOn(
  ports: TrialPorts,
  works: readonly TrialWork[],
  remainingMs: () => number,
): Promise<Map<TrialWork, Outcome>> {
  const steps = new Map<TrialWork, TrialStep>();
  const [first] = works;
  if (!first) return new Map();
  try {
    const open = await openTrial(ports, first.message);
    if ("dropped" in open) for (const each of works) steps.set(each, { kind: "dropped", code: open.dropped });
    else {
      const grants = await tryItems(ports, open, works, steps, remainingMs);
      await settleTrial(ports, open, works, steps, grants);
    }
  } catch (error) {
    ports.log.error("trial_not_looked_at", error, { trialId: first.message.trialId });
    for (const each of works) {
      const { code } = asScoutsError(error);
      if (!steps.has(each)) steps.set(each, afterFault(ports, error, each, false) ?? { kind: "lost", code });
    }
  }
  return settleSteps(ports.queue, works, steps, ports.log, "trials");
}

function nameOf({ userId, trialId, ref }: TrialMessage): string {
  return `${userId}/${trialId}/${ref}`;
}

function groupOf({ userId, trialId }: TrialMessage): string {
  return `${userId}/${trialId}`;
}
