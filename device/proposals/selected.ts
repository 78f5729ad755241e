import { called } from "../errors/called.ts";
import { DeviceError } from "../errors.ts";
import { findProposal, refCure } from "../store/find-proposal.ts";
import type { DeviceStore } from "../store/open.ts";
import type { StoredProposal } from "../store/schema.ts";

/** Which proposals a person means. */
export interface Selection {
  /** By ref or id, each. */
  readonly refs: readonly string[];
  /** Every pending one of the conversation of this one. */
  readonly thread?: string | undefined;
  /** Every pending one from this address. */
  readonly from?: string | undefined;
}

/**
 * The proposals a person means, each once, newest first where they are meant together; snoozed ones are among them.
 *
 * @throws DeviceError `proposal_unknown`, `usage` when nothing or several things are meant by a name
 */
export function selectedProposals(store: DeviceStore, { refs, thread, from }: Selection): StoredProposal[] {
  const rows = [
    ...refs.map((ref) => proposalNamed(store, ref)),
    ...(thread === undefined ? [] : ofThread(store, thread)),
    ...(from === undefined ? [] : fromSender(store, from)),
  ];
  if (rows.length === 0) {
    throw new DeviceError("usage", { sentence: "Say which: refs or ids, --thread REF, or --from ADDRESS." });
  }
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** @throws DeviceError `proposal_unknown`, `usage` */
export function proposalNamed(store: DeviceStore, text: string): StoredProposal {
  const found = findProposal(store, text);
  if (found !== undefined) return found;
  const cure = `\`scouts proposals list\` shows them. ${refCure(text)}`.trim();
  throw new DeviceError("proposal_unknown", {
    sentence: `There is no proposal ${called(text)} on this device; ${cure}`,
  });
}

function ofThread(store: DeviceStore, text: string): StoredProposal[] {
  const row = proposalNamed(store, text);
  const threadRef = row.metadata?.threadRef;
  if (threadRef === undefined) return [row];
  const thread = { sourceType: row.sourceType, threadRef };
  const rows = store.proposals.list({ statuses: ["pending"], thread });
  if (rows.length > 0) return rows;
  throw new DeviceError("proposal_unknown", {
    sentence: `Nothing of the conversation of ${called(text)} is pending; see: scouts proposals list`,
  });
}

function fromSender(store: DeviceStore, address: string): StoredProposal[] {
  const senderAddress = address.trim().toLowerCase();
  const rows = store.proposals.list({ statuses: ["pending"], senderAddress });
  if (rows.length > 0) return rows;
  throw new DeviceError("proposal_unknown", {
    sentence: `Nothing from ${called(address)} is pending; see: scouts proposals list`,
  });
}
