import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ApiError, answerOf, api, type Proposal } from "../app/api.ts";
import type { EachOf } from "./bulk.ts";
import { proposalIsNow, refreshLists } from "./proposals.ts";

export type Outcome = "approved" | "rejected";

/** What a person does with proposals, and can take back. */
export type What = Outcome | "snoozed" | "merged" | "assigned" | "muted" | "copied" | "saved" | "chosen";

/** Proposals that something is done with together, and what one alone is called. */
export interface Meant {
  readonly ids: readonly string[];
  /** A stranger's words; null where it is more than one. */
  readonly subject: string | null;
}

/** The last thing that was done: while it can be taken back, or what went wrong with it. */
export interface LastDecision extends Meant {
  readonly what: What;
  /** Resolves when the device has kept it. */
  readonly kept: Promise<unknown>;
  /** None where there is nothing to take back. */
  readonly undo: (() => Promise<unknown>) | undefined;
  readonly error?: Error;
}

/** How long it is said what was done, where the device says nothing of it. */
const saidForMs = 10_000;
/** What leaves a list of what waits. */
const leaving: readonly What[] = ["approved", "rejected", "snoozed", "merged"];

let decided: readonly LastDecision[] = [];
const listeners = new Set<() => void>();

function change(next: readonly LastDecision[]): void {
  decided = next;
  for (const listener of listeners) listener();
}

const without = (ids: readonly string[]) => decided.filter((each) => !each.ids.some((id) => ids.includes(id)));

/** Decisions of the last seconds, oldest first. */
export const useLastDecisions = (): readonly LastDecision[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => decided,
  );

/** What its person has decided and lists may still hold. */
export const decidedIds = (decisions: readonly LastDecision[]): ReadonlySet<string> =>
  new Set(decisions.flatMap(({ ids, what, error }) => (error === undefined && leaving.includes(what) ? ids : [])));

/** Proposals as something is done with them together. */
export const meant = (proposals: readonly Pick<Proposal, "id" | "rawSubject">[]): Meant => ({
  ids: proposals.map(({ id }) => id),
  subject: proposals.length === 1 ? (proposals[0]?.rawSubject ?? "") : null,
});

/** What a person makes of proposals. It is shown at once, and taken back when the device refuses. */
export function useDecisions() {
  const client = useQueryClient();
  const failed = (decision: LastDecision, ids: readonly string[]) => (error: Error) => {
    change([...without(ids), { ...decision, ids, error }]);
    // Another tab may have been first: then it is another proposal than the one that is shown.
    for (const id of ids) void client.invalidateQueries({ queryKey: ["proposal", id] });
    void refreshLists(client);
  };

  /** Shows that something is done, then what became of it: those that were refused say why. */
  async function perform(decision: LastDecision, asked: Promise<EachOf>): Promise<boolean> {
    change([...without(decision.ids), decision]);
    try {
      const { proposals, refused, undoableMs = saidForMs } = await asked;
      setTimeout(() => change(decided.filter((each) => each !== decision)), undoableMs);
      for (const proposal of proposals) proposalIsNow(client, proposal);
      const [first] = refused;
      if (first === undefined) return true;
      if (proposals.length === 0) change(decided.filter((each) => each !== decision));
      failed(
        refused.length === 1 ? decision : { ...decision, subject: null },
        refused.map(({ id }) => id),
      )(new ApiError(first.why, 409));
      return false;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      failed(decision, decision.ids)(error);
      return false;
    }
  }

  function decide(proposal: Proposal, outcome: Outcome): void {
    const { id, revision } = proposal;
    const json = outcome === "approved" ? { outcome, seen: revision } : { outcome };
    const kept = answerOf(api.proposals[":id"].decision.$put({ param: { id }, json })).then(
      ({ proposal: now, undoableMs }): EachOf => ({ proposals: [now], refused: [], undoableMs }),
    );
    void perform({ ...meant([proposal]), what: outcome, kept, undo: () => undone(id) }, kept);
  }

  const undone = (id: string) => answerOf(api.proposals[":id"].decision.$delete({ param: { id } }));

  async function undo(): Promise<void> {
    const last = decided.findLast(({ error, undo: back }) => error === undefined && back !== undefined);
    if (last?.undo === undefined) return;
    change(decided.filter((each) => each !== last));
    // On a slow line the undoing would overtake the decision. One that failed says so itself.
    const wasKept = await last.kept.then(
      () => true,
      () => false,
    );
    if (!wasKept) return;
    try {
      const answer = await last.undo();
      if (isOne(answer)) proposalIsNow(client, answer.proposal);
      else void refreshLists(client);
    } catch (error) {
      if (error instanceof Error) failed(last, last.ids)(error);
    }
  }

  return { decide, perform, undo, dismiss: (last: LastDecision) => change(decided.filter((each) => each !== last)) };
}

const isOne = (answer: unknown): answer is { readonly proposal: Proposal } =>
  typeof answer === "object" && answer !== null && "proposal" in answer;
