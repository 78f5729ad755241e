import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { answerOf, api, type Proposal } from "../app/api.ts";
import { proposalIsNow, refreshLists } from "./proposals.ts";

export type Outcome = "approved" | "rejected";

/** The last decision: while it can be undone, or what went wrong with it. */
export interface LastDecision {
  readonly proposal: Proposal;
  readonly outcome: Outcome;
  /** Resolves when the device has kept it. */
  readonly kept: Promise<unknown>;
  readonly error?: Error;
}

let decided: readonly LastDecision[] = [];
const listeners = new Set<() => void>();

function change(next: readonly LastDecision[]): void {
  decided = next;
  for (const listener of listeners) listener();
}

const without = (id: string) => decided.filter(({ proposal }) => proposal.id !== id);

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
  new Set(decisions.flatMap(({ proposal, error }) => (error === undefined ? [proposal.id] : [])));

/** What a person makes of a proposal. It is shown at once, and taken back when the device refuses. */
export function useDecisions() {
  const client = useQueryClient();
  const failed = (decision: LastDecision) => (error: Error) => {
    const { id } = decision.proposal;
    change([...without(id), { ...decision, error }]);
    // Another tab may have been first: then it is another proposal than the one that is shown.
    void client.invalidateQueries({ queryKey: ["proposal", id] });
    void refreshLists(client);
  };

  async function decide(proposal: Proposal, outcome: Outcome): Promise<void> {
    const { id } = proposal;
    const kept = answerOf(api.proposals[":id"].decision.$put({ param: { id }, json: { outcome } }));
    const decision = { proposal, outcome, kept };
    change([...without(id), decision]);
    try {
      const answer = await kept;
      setTimeout(
        () => change(decided.filter((each) => each.proposal.id !== id || each.error !== undefined)),
        answer.undoableMs,
      );
      proposalIsNow(client, answer.proposal);
    } catch (error) {
      if (error instanceof Error) failed(decision)(error);
    }
  }

  async function undo(): Promise<void> {
    const last = decided.findLast(({ error }) => error === undefined);
    if (last === undefined) return;
    const { id } = last.proposal;
    change(without(id));
    // On a slow line the undoing would overtake the decision. One that failed says so itself.
    const wasKept = await last.kept.then(
      () => true,
      () => false,
    );
    if (!wasKept) return;
    try {
      const { proposal } = await answerOf(api.proposals[":id"].decision.$delete({ param: { id } }));
      proposalIsNow(client, proposal);
    } catch (error) {
      if (error instanceof Error) failed(last)(error);
    }
  }

  return { decide, undo, dismiss: (id: string) => change(without(id)) };
}
