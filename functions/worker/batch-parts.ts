import { type Outcome, unsettled } from "../../shared/outcome/outcome.ts";
import type { Parsed } from "./sqs-batch.ts";

/** Works off the messages of one kind in a batch that holds several; one without an outcome comes again. */
export async function partOf<M, K extends M>(
  batch: readonly Parsed<M>[],
  isOfKind: (message: Parsed<M>) => message is Parsed<K>,
  work: (own: readonly Parsed<K>[]) => Promise<readonly Outcome[]>,
): Promise<ReadonlyMap<Parsed<M>, Outcome>> {
  const own = batch.filter(isOfKind);
  const outcomes = own.length > 0 ? await work(own) : [];
  return new Map(own.map((message, index): [Parsed<M>, Outcome] => [message, outcomes[index] ?? unsettled]));
}

/** The outcomes of a whole batch, whose parts are worked off side by side, in the order of its messages. */
export async function inParts<M>(
  batch: readonly Parsed<M>[],
  parts: readonly Promise<ReadonlyMap<Parsed<M>, Outcome>>[],
): Promise<Outcome[]> {
  const outcomes = new Map((await Promise.all(parts)).flatMap((part) => [...part]));
  return batch.map((message) => outcomes.get(message) ?? unsettled);
}
