import type { ServerFrame } from "../../events/frames/frames.ts";
import { joinProposalId } from "../../events/ids.ts";
import type { ProposalMetadata } from "../../events/proposals/metadata.ts";
import type { Proposal } from "../../events/proposals/proposal.ts";
import type { Transient } from "../privacy/transient.ts";
import type { ItemMetadata } from "../scouts/connectors/connector.ts";
import type { ItemRow } from "../scouts/items/item-row.ts";

export interface ProposalFrame {
  readonly type: "scout_proposal";
  readonly proposal: Proposal;
}

/**
 * The frame that brings an item to its person's device. Beside the device's own database it is the only place where what
 * a proposal says can be read: nothing of it is kept or logged on the way.
 *
 * @param item as its source has it, by `itemMetadata`: then the frame fits; null when the source could not be read
 * @param reason the model's words, null when they are not at hand any more
 */
export function proposalFrame(
  row: ItemRow,
  item: ItemMetadata | null,
  reason: Transient<string> | null,
): ProposalFrame {
  const proposal: Proposal = {
    id: joinProposalId(row.scoutId, row.ref),
    scoutId: row.scoutId,
    sourceType: row.sourceType,
    sourceMsgRef: row.ref,
    rawSubject: item ? item.subject.reveal() : null,
    rawSnippet: item ? item.snippet.reveal() : null,
    reason: reason ? reason.reveal() : null,
    reasonCode: row.reasonCode ?? "other",
    triagedAt: row.triagedAt ?? 0,
    round: row.round,
    ...(item ? { metadata: shownMetadata(item) } : {}),
    category: "unprocessed",
    payload: null,
  };
  return { type: "scout_proposal", proposal };
}

export type ClosedFrame = Extract<ServerFrame, { type: "scout_proposal_closed" }>;

/** Says that a round of a proposal needs no decision any more, and as what it was decided if it was. */
export function closedFrame({ scoutId, ref, round, outcome }: ItemRow, reason: ClosedFrame["reason"]): ClosedFrame {
  const proposalId = joinProposalId(scoutId, ref);
  return { type: "scout_proposal_closed", proposalId, round, reason, ...(outcome === undefined ? {} : { outcome }) };
}

/** The same proposal without anything its source has said. */
export function bareProposal({ proposal }: ProposalFrame): ProposalFrame {
  const { metadata: _, ...rest } = proposal;
  return { type: "scout_proposal", proposal: { ...rest, rawSubject: null, rawSnippet: null, reason: null } };
}

function shownMetadata(item: ItemMetadata): ProposalMetadata {
  const {
    sender,
    sentAt,
    sentOffsetMinutes,
    arrivedAt,
    relation,
    threadRef,
    attachments,
    listId,
    automatic,
    sourceLink,
  } = item;
  return {
    sender: sender.reveal(),
    ...(sentAt === undefined ? {} : { sentAt }),
    ...(sentOffsetMinutes === undefined ? {} : { sentOffsetMinutes }),
    ...(arrivedAt === undefined ? {} : { arrivedAt }),
    relation,
    ...(threadRef === undefined ? {} : { threadRef }),
    ...(attachments === undefined ? {} : { attachments: [...attachments.reveal()] }),
    ...(listId === undefined ? {} : { listId: listId.reveal() }),
    automatic,
    ...(sourceLink === undefined ? {} : { sourceLink: sourceLink.reveal() }),
  };
}
