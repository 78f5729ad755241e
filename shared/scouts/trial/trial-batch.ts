import type { TrialMessage } from "../../../events/queues.ts";
import { asScoutsError, done, type Outcome } from "../../outcome/outcome.ts";
import { isolatePoison } from "../../outcome/poison-isolation.ts";
import { type DelayedMessage, queueAgain } from "../../outcome/queue-again.ts";
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
  const works = new Map<string, TrialWork>();
  for (const { body, receiveCount } of batch) {
    const copy = works.get(nameOf(body));
    works.set(nameOf(body), { message: body, receiveCount: Math.max(receiveCount, copy?.receiveCount ?? 0) });
  }
  const groups = Map.groupBy(works.values(), ({ message }) => `${message.userId}/${message.trialId}`);
  const outcomes = new Map<TrialWork, Outcome>();
  const take = async ([, own]: [string, readonly TrialWork[]]) => {
    for (const [each, outcome] of await workOn(ports, own, remainingMs)) outcomes.set(each, outcome);
  };
  const receivesOf = ([, own]: [string, readonly TrialWork[]]) =>
    Math.max(...own.map(({ receiveCount }) => receiveCount));
  await isolatePoison([...groups], ([name]) => name, receivesOf, take);
  return batch.map(({ body }) => {
    const each = works.get(nameOf(body));
    return (each && outcomes.get(each)) ?? { kind: "retry", code: "internal" };
  });
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
  const notQueued = await queueAgain(ports.queue, waiting(works, steps), ports.log, "trials");
  return new Map(works.map((each) => [each, outcomeOf(steps.get(each), notQueued)]));
}

function waiting(
  works: readonly TrialWork[],
  steps: ReadonlyMap<TrialWork, TrialStep>,
): DelayedMessage<TrialMessage>[] {
  return works.flatMap((each): DelayedMessage<TrialMessage>[] => {
    const step = steps.get(each);
    if (step?.kind !== "again") return [];
    return [{ body: step.message, group: step.message.userId, delayMs: step.delayMs }];
  });
}

function outcomeOf(step: TrialStep | undefined, notQueued: Outcome | undefined): Outcome {
  switch (step?.kind) {
    case "ended":
      return done;
    case "again":
      return notQueued ?? done;
    case "dropped":
      return { kind: "drop", code: step.code };
    case "lost":
      return { kind: "retry", code: step.code };
    case undefined:
      return { kind: "retry", code: "internal" };
  }
}

function nameOf({ userId, trialId, ref }: TrialMessage): string {
  return `${userId}/${trialId}/${ref}`;
}
