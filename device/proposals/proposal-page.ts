import type { DeviceStore } from "../store/open.ts";
import type { ProposalStatus, StoredProposal } from "../store/schema.ts";
import { folded } from "../store/sqlite/folded-text.ts";
import type { ProposalFilter } from "../store/tables/proposals/filter.ts";
import type { ProposalFacets } from "../store/tables/proposals/list.ts";

/** What a list is narrowed to. */
export interface Narrowed {
  readonly status: ProposalStatus;
  readonly scoutId?: string | undefined;
  readonly reasonCode?: string | undefined;
  /** What subject, sender, snippet or reason must hold, each word somewhere: as a person types it. */
  readonly words: string;
  /** Now, milliseconds since the epoch: what is snoozed then is left out of what is pending. */
  readonly nowMs: number;
}

export interface PageRequest extends Narrowed {
  /** How many newer ones lie before the page. */
  readonly from: number;
  readonly limit: number;
}

export interface ProposalPage {
  /** Newest first. */
  readonly rows: readonly StoredProposal[];
  /** How many there are in all, as of the same moment. */
  readonly total: number;
}

/** More words than that narrow nothing any further. */
const mostWords = 10;

/** A page of what the device holds, as it is now: a person may look at the middle of a list without what lies before it. */
export function proposalPage(store: DeviceStore, request: PageRequest): ProposalPage {
  const { from, limit } = request;
  const filter = filterOf(request);
  return store.transaction(() => ({
    rows: store.proposals.list({ ...filter, limit, offset: from }),
    total: store.proposals.count(filter),
  }));
}

/** How many a list has, by scout and by reason. */
export function proposalCounts(store: DeviceStore, narrowed: Narrowed): ProposalFacets {
  return store.proposals.facets(filterOf(narrowed));
}

/** The words of a search as a person types it, as a filter takes them; none where nothing is typed. */
export const searchWords = (typed: string): string[] =>
  folded(typed)
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, mostWords);

const filterOf = ({ status, scoutId, reasonCode, words, nowMs }: Narrowed): ProposalFilter => ({
  statuses: [status],
  words: searchWords(words),
  ...(status === "pending" ? { snoozed: { atMs: nowMs, isWanted: false } } : {}),
  ...(scoutId === undefined ? {} : { scoutId }),
  ...(reasonCode === undefined ? {} : { reasonCode }),
});
