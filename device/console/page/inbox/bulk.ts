import type { Told } from "../../told.ts";
import { ApiError, answerOf, api, type Proposal } from "../app/api.ts";

/** What was done with several, and why with some of them not. */
export interface EachOf {
  readonly proposals: readonly Proposal[];
  readonly refused: readonly { readonly id: string; readonly why: Told }[];
  /** How long it can be taken back. */
  readonly undoableMs?: number;
  /** Those that were left as they were, as their person stopped. */
  readonly left?: readonly string[];
}

/** What is told of something that is done with many, a part after the other, and what is asked before the next part. */
export interface Steps {
  /** @param count how many have been asked for by now */
  done(count: number): void;
  /** Whether the rest is to stay as it is. */
  isStopped(): boolean;
}

/** As `ids` in device/console/inbox/contract.ts: what fits one request. */
export const most = 150;

/**
 * Does something with as many proposals as there are, one request after the other. What was done before one of them fails is
 * done: the rest is refused for what it failed with. @throws ApiError when the first one fails
 *
 * @param first what became of the first of those requests, where it is answered already
 */
async function inParts(
  ids: readonly string[],
  ask: (part: { readonly ids: string[] }) => Promise<EachOf>,
  steps?: Steps,
  first?: EachOf,
): Promise<EachOf> {
  const parts: EachOf[] = first === undefined ? [] : [first];
  let left: readonly string[] = [];
  if (first !== undefined) steps?.done(Math.min(most, ids.length));
  for (let at = parts.length * most; at < ids.length; at += most) {
    if (at > 0 && steps?.isStopped()) {
      left = ids.slice(at);
      break;
    }
    try {
      parts.push(await ask({ ids: ids.slice(at, at + most) }));
      steps?.done(Math.min(at + most, ids.length));
    } catch (error) {
      if (!(error instanceof ApiError) || at === 0) throw error;
      const { told: why } = error;
      parts.push({ proposals: [], refused: ids.slice(at).map((id) => ({ id, why })) });
      break;
    }
  }
  return {
    proposals: parts.flatMap(({ proposals }) => proposals),
    refused: parts.flatMap(({ refused }) => refused),
    left,
    ...(parts[0]?.undoableMs !== undefined && { undoableMs: parts[0].undoableMs }),
  };
}

/** Approves or rejects them. Some may be refused: see {@link EachOf}. @throws ApiError when nothing can be asked */
export const decideAll = (ids: readonly string[], outcome: "approved" | "rejected", steps: Steps) =>
  inParts(ids, (part) => answerOf(api.decisions.$post({ json: { ids: part.ids, outcome } })), steps);
/** Takes back what was decided, while that is possible. @throws ApiError */
export const undoAll = (ids: readonly string[], steps: Steps) =>
  inParts(ids, (part) => answerOf(api.undoings.$post({ json: { ids: part.ids } })), steps);
/**
 * Hides them.
 *
 * @param until milliseconds since the epoch, or a time in the person's words; null shows them again now
 * @param first what became of the first {@link most} of them, which were asked for before the others
 * @throws ApiError
 */
export const snoozeAll = (
  ids: readonly string[],
  until: number | string | null,
  steps?: Steps,
  first?: EachOf,
): Promise<EachOf> =>
  inParts(ids, (part) => answerOf(api.snoozes.$post({ json: { ids: part.ids, until } })), steps, first);
/** Puts them into a project. @param project its id; null takes them out @throws ApiError */
export const assignAll = (ids: readonly string[], project: string | null, steps: Steps) =>
  inParts(ids, (part) => answerOf(api.assignments.$post({ json: { ids: part.ids, project } })), steps);
/** Those of them that wait for a decision still. @throws ApiError */
export async function pendingOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
  const pending = new Set<string>();
  for (let at = 0; at < ids.length; at += most) {
    const part = await answerOf(api.pending.$post({ json: { ids: ids.slice(at, at + most) } }));
    for (const id of part.ids) pending.add(id);
  }
  return pending;
}
/** Has all of them become part of one task. @param task its id @throws ApiError */
export const mergeAll = (ids: readonly string[], task: string, steps: Steps) =>
  inParts(ids, (part) => answerOf(api.merges.$post({ json: { ids: part.ids, task } })), steps);
