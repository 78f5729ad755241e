import type { Cause } from "../../proposals/attention/order.ts";
import { type DraftOutcome, draftOutcome, whomToAnswer } from "../../proposals/draft/draft-outcome.ts";
import { draftRevision } from "../../proposals/draft/draft-revision.ts";
import { replyDraft } from "../../proposals/draft/reply-draft.ts";
import { proposalJson } from "../../proposals/proposal-json.ts";
import { isOverdue, nextTimes } from "../../proposals/shown/next-time.ts";
import type { StoredProposal } from "../../store/schema.ts";
import { isInConflict } from "../../store/tables/proposals/decisions.ts";
import type { Here } from "../../work/dates/read-date.ts";

/** A proposal as a tab is told of it: with what approving it makes, and which draft that is. */
export function shownProposal(row: StoredProposal, here: Here, causes: readonly Cause[] = row.payload?.reasons ?? []) {
  const outcome = draftOutcome(row);
  return {
    ...proposalJson(row),
    revision: draftRevision(row),
    /** What is made of it when it is approved as it is; null where nothing is. */
    becomes: outcome === undefined ? null : { kind: outcome.kind, ...calledFor(row, outcome) },
    /** When what it names takes place next, of a series that runs already too; null where it names no time. */
    takesPlace: nextTimes(row, here) ?? null,
    isOverdue: isOverdue(row, here),
    /** The text of an answer to be copied; empty where none is drafted. */
    reply: replyDraft(row),
    isInConflict: isInConflict(row),
    /** Why it is as it is, the weightiest first. */
    causes,
  };
}

/** How it will be called, without words of the device's own, and whom it is to answer: the page has the words, in its language. */
function calledFor(row: StoredProposal, outcome: DraftOutcome) {
  const answers = whomToAnswer(row);
  return { title: (answers === null ? outcome.draft.title : row.payload?.title) ?? "", answers };
}

export type ShownProposal = ReturnType<typeof shownProposal>;
