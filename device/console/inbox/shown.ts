import type { Cause } from "../../proposals/attention/order.ts";
import { draftOutcome } from "../../proposals/draft-outcome.ts";
import { draftRevision } from "../../proposals/draft-revision.ts";
import { proposalJson } from "../../proposals/proposal-json.ts";
import { replyDraft } from "../../proposals/reply-draft.ts";
import type { StoredProposal } from "../../store/schema.ts";
import { isInConflict } from "../../store/tables/proposals/decisions.ts";

/** A proposal as a tab is told of it: with what approving it makes, and which draft that is. */
export function shownProposal(row: StoredProposal, causes: readonly Cause[] = row.payload?.reasons ?? []) {
  const outcome = draftOutcome(row);
  return {
    ...proposalJson(row),
    revision: draftRevision(row),
    /** What is made of it when it is approved as it is, and how that is called; null where nothing is. */
    becomes: outcome === undefined ? null : { kind: outcome.kind, title: outcome.draft.title ?? "" },
    /** The text of an answer to be copied; empty where none is drafted. */
    reply: replyDraft(row),
    isInConflict: isInConflict(row),
    /** Why it is as it is, the weightiest first. */
    causes,
  };
}

export type ShownProposal = ReturnType<typeof shownProposal>;
