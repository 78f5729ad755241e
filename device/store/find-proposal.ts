import { proposalId } from "../../events/ids.ts";
import { severalCalled } from "../errors/several-called.ts";
import type { DeviceStore } from "./open.ts";
import type { StoredProposal } from "./schema.ts";

/** Characters that name an item at least: fewer would be a slip of the finger. */
export const shortestPrefix = 4;

/** What to do about a ref that names nothing because of how short it is; else empty. */
export const refCure = (text: string): string =>
  text.length < shortestPrefix ? `Give ${shortestPrefix} characters of a ref or id at least.` : "";

/**
 * The proposal a person names: by its id, by its source's own id of the message (its ref), or by the beginning of either
 * when that is enough to tell it. Undefined when there is none.
 *
 * @throws DeviceError `usage` when several are meant
 */
export function findProposal(store: DeviceStore, text: string): StoredProposal | undefined {
  const id = proposalId.safeParse(text);
  const exact = id.success ? store.proposals.find(id.data) : undefined;
  if (exact !== undefined) return exact;
  const named = store.proposals.list({ sourceMsgRef: text });
  const meant = named.length > 0 || text.length < shortestPrefix ? named : store.proposals.beginning(text);
  if (meant.length > 1) throw severalCalled("proposals", text, meant.map(idOnly));
  return meant[0];
}

const idOnly = ({ id }: StoredProposal) => ({ id });
