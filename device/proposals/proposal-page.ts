import { proposalId } from "../../events/ids.ts";
import type { DeviceStore } from "../store/open.ts";
import type { ProposalStatus, StoredProposal } from "../store/schema.ts";
import type { ProposalFacets, ProposalFilter } from "../store/tables/proposals.ts";

/** What a list is narrowed to. */
export interface Narrowed {
  readonly status: ProposalStatus;
  readonly scoutId?: string | undefined;
  readonly reasonCode?: string | undefined;
}

export interface PageRequest extends Narrowed {
  /** The place behind which the page begins, as the page before it says. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface ProposalPage {
  /** Newest first. */
  readonly rows: readonly StoredProposal[];
  /** Where the next page begins; null on the last one. */
  readonly next: string | null;
}

/** How many proposals there are, whatever of them is on a page. */
export interface ProposalCounts {
  readonly facets: ProposalFacets;
  readonly counts: Readonly<Record<ProposalStatus, number>>;
}

/** `{triagedAt}~{id}`: what arrives meanwhile moves no page. */
const placeOf = ({ triagedAt, id }: StoredProposal): string => `${triagedAt}~${id}`;

/** A page of what the device holds. An `after` that no page has given begins anew. */
export function proposalPage(store: DeviceStore, request: PageRequest): ProposalPage {
  const { after, limit } = request;
  const rows = store.proposals.list({ ...filterOf(request), ...placeIn(after), limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > limit && last !== undefined ? placeOf(last) : null };
}

/** How many a list has, by scout and by reason, and how many there are of every status. */
export function proposalCounts(store: DeviceStore, narrowed: Narrowed): ProposalCounts {
  return store.transaction(() => ({
    facets: store.proposals.facets(filterOf(narrowed)),
    counts: store.proposals.counts(),
  }));
}

const filterOf = ({ status, scoutId, reasonCode }: Narrowed): ProposalFilter => ({
  statuses: [status],
  ...(scoutId === undefined ? {} : { scoutId }),
  ...(reasonCode === undefined ? {} : { reasonCode }),
});

function placeIn(text: string | undefined): { after?: Pick<StoredProposal, "triagedAt" | "id"> } {
  const [, at, rest] = /^(\d{1,16})~(.+)$/.exec(text ?? "") ?? [];
  const id = proposalId.safeParse(rest);
  return at === undefined || !id.success ? {} : { after: { triagedAt: Number(at), id: id.data } };
}
