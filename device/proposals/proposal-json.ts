import type { StoredProposal } from "../store/schema.ts";
import { type ThreadCounts, threadKey } from "../store/tables/proposals/threads.ts";

/**
 * A proposal as programs get it: the device's row, with what is known of the item beside the other fields. What is not
 * known is null: `attachments` is null where nobody has looked, empty where there are none.
 */
export function proposalJson(row: StoredProposal) {
  const { metadata, categorizer: _, categorizeAfter: _a, categorizeTries: _t, ...known } = row;
  const { modelAfter: _m, modelReader: _r, modelTries: _n, ...rest } = known;
  return {
    ...rest,
    sender: metadata?.sender ?? null,
    sentAt: metadata?.sentAt ?? null,
    relation: metadata?.relation ?? null,
    threadRef: metadata?.threadRef ?? null,
    attachments: metadata?.attachments ?? null,
    listId: metadata?.listId ?? null,
    automatic: metadata?.automatic ?? null,
    sourceLink: metadata?.sourceLink ?? null,
  };
}

/** The same with its conversation: how many proposals of it this device has seen, by status; null when it is the only one. */
export function proposalInThreadJson(row: StoredProposal, threads: ReadonlyMap<string, ThreadCounts>) {
  return { ...proposalJson(row), thread: threads.get(threadKey(row) ?? "") ?? null };
}
