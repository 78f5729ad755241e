import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { answerOf, api, type Proposal } from "../app/api.ts";
import { patchProposal } from "./proposals.ts";

export type Outcome = "approved" | "rejected";

/** The last decision: while it can be undone, or what went wrong with it. */
export interface LastDecision {
  readonly proposal: Proposal;
  readonly outcome: Outcome;
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

/** What a person makes of a proposal. It is shown at once, and taken back when the device refuses. */
export function useDecisions() {
  const client = useQueryClient();
  const failed = (proposal: Proposal, outcome: Outcome) => (error: Error) =>
    change([...without(proposal.id), { proposal, outcome, error }]);

  async function decide(proposal: Proposal, outcome: Outcome): Promise<void> {
    const { id } = proposal;
    patchProposal(client, { ...proposal, status: outcome });
    change([...without(id), { proposal, outcome }]);
    try {
      const { undoableMs } = await answerOf(api.proposals[":id"].decision.$put({ param: { id }, json: { outcome } }));
      setTimeout(
        () => change(decided.filter((each) => each.proposal.id !== id || each.error !== undefined)),
        undoableMs,
      );
    } catch (error) {
      patchProposal(client, proposal);
      if (error instanceof Error) failed(proposal, outcome)(error);
    }
  }

  async function undo(): Promise<void> {
    const last = decided.findLast(({ error }) => error === undefined);
    if (last === undefined) return;
    const { id } = last.proposal;
    change(without(id));
    try {
      const { proposal } = await answerOf(api.proposals[":id"].decision.$delete({ param: { id } }));
      patchProposal(client, proposal);
    } catch (error) {
      if (error instanceof Error) failed(last.proposal, last.outcome)(error);
    }
  }

  return { decide, undo, dismiss: (id: string) => change(without(id)) };
}
