import type { ProjectId } from "../../events/ids.ts";
import type { Category, Priority } from "../../events/proposals/categorize.ts";
import type { DeviceStore } from "../store/open.ts";
import { type ProposalStatus, proposalStatuses, type StoredProposal } from "../store/schema.ts";
import { folded } from "../store/sqlite/folded-text.ts";
import type { ProposalFilter } from "../store/tables/proposals/filter.ts";
import type { ProposalFacets } from "../store/tables/proposals/list.ts";
import type { Thread } from "../store/tables/proposals/threads.ts";
import type { AttentionLooks } from "./attention/looks.ts";
import { type Attended, byAttention } from "./attention/order.ts";

/** What a list may show: proposals of a status, those that are snoozed, those that another device has decided otherwise. */
export const shownStatuses = [...proposalStatuses, "snoozed", "conflict"] as const;
export type ShownStatus = (typeof shownStatuses)[number];

/** What a list is narrowed to. */
export interface Narrowed {
  readonly status: ShownStatus;
  readonly scoutId?: string | undefined;
  readonly reasonCode?: string | undefined;
  readonly category?: Category | "unprocessed" | undefined;
  readonly priority?: Priority | undefined;
  readonly projectId?: ProjectId | undefined;
  /** What subject, sender, snippet or reason must hold, each word somewhere: as a person types it. */
  readonly words: string;
  /** Now, milliseconds since the epoch: what is snoozed then is left out of what is pending. */
  readonly nowMs: number;
}

export interface PageRequest extends Narrowed {
  /** The name of a look at it in the order of attention; newest first without one. */
  readonly look?: string | undefined;
  /** How many lie before the page. */
  readonly from: number;
  readonly limit: number;
}

export interface ProposalPage {
  readonly rows: readonly StoredProposal[];
  /** How many there are in all, as of the same moment. */
  readonly total: number;
}

/** More words than that narrow nothing any further. */
const mostWords = 10;

/** A page of what the device holds, as it is now: a person may look at the middle of a list without what lies before it. */
export function proposalPage(store: DeviceStore, request: PageRequest, looks: AttentionLooks): ProposalPage {
  const { from, limit, look } = request;
  const filter = filterOf(request);
  if (look !== undefined) {
    return store.transaction(() => {
      const ids = looks.order(store, filter, look);
      const rows = ids.slice(from, from + limit).flatMap((id) => store.proposals.find(id) ?? []);
      return { rows, total: ids.length };
    });
  }
  return store.transaction(() => ({
    rows: store.proposals.list({ ...filter, limit, offset: from }),
    total: store.proposals.count(filter),
  }));
}

/** What a list is narrowed to that is told at once and not in pages. */
export interface ListRequest extends Pick<Narrowed, "words" | "nowMs"> {
  /** All; in the order of attention what is pending. */
  readonly statuses?: readonly ProposalStatus[] | undefined;
  /** Only what is snoozed; everything else otherwise. */
  readonly isSnoozed: boolean;
  /** At most so many of what is listed: proposals, or conversations. */
  readonly limit?: number | undefined;
}

/** Newest first, each proposal or each conversation; or what deserves attention first. */
export type ListOrder = "arrival" | "threads" | "attention";

export type Listed = {
  /** How many older ones a search did not look through. */
  readonly notSearched: number;
} & (
  | { readonly order: "arrival"; readonly rows: readonly StoredProposal[] }
  | { readonly order: "threads"; readonly rows: readonly Thread[] }
  | { readonly order: "attention"; readonly rows: readonly Attended[] }
);

/** What the device holds, as it is now, in an order. */
export function listProposals(store: DeviceStore, request: ListRequest, order: ListOrder): Listed {
  const { words, nowMs, isSnoozed, limit } = request;
  const statuses = request.statuses ?? (order === "attention" ? ["pending" as const] : undefined);
  const filter: ProposalFilter = {
    ...(statuses === undefined ? {} : { statuses }),
    words: searchWords(words),
    snoozed: { atMs: nowMs, isWanted: isSnoozed },
  };
  const within = limit === undefined ? filter : { ...filter, limit };
  return store.transaction(() => {
    const { notSearched } = store.proposals.facets(filter);
    if (order === "arrival") return { order, rows: store.proposals.list(within), notSearched };
    if (order === "threads") return { order, rows: store.proposals.threads(within), notSearched };
    return { order, rows: byAttention(store, store.proposals.list(filter)).slice(0, limit), notSearched };
  });
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

const filterOf = (narrowed: Narrowed): ProposalFilter => {
  const { status, scoutId, reasonCode, category, priority, projectId, words, nowMs } = narrowed;
  return {
    ...statusFilter(status),
    words: searchWords(words),
    ...(status === "pending" || status === "snoozed"
      ? { snoozed: { atMs: nowMs, isWanted: status === "snoozed" } }
      : {}),
    ...(scoutId === undefined ? {} : { scoutId }),
    ...(reasonCode === undefined ? {} : { reasonCode }),
    ...(category === undefined ? {} : { category }),
    ...(priority === undefined ? {} : { priority }),
    ...(projectId === undefined ? {} : { projectId }),
  };
};

function statusFilter(status: ShownStatus): Pick<ProposalFilter, "statuses" | "isInConflict"> {
  if (status === "conflict") return { statuses: ["approved", "rejected"], isInConflict: true };
  return { statuses: [status === "snoozed" ? "pending" : status] };
}
