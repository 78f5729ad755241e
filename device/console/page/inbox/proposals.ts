import { type QueryClient, type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api, type Proposal } from "../app/api.ts";
import { pageSize, unseenPageMs, useWholeList } from "../list/pages.ts";
import type { InboxSearch } from "../routes/addresses.ts";
import { pendingOf } from "./bulk.ts";

/** What a list is narrowed to. Words are in no address: only ids and codes are. */
export interface Narrowed extends InboxSearch {
  readonly words: string;
}

interface Page {
  readonly proposals: readonly Proposal[];
  readonly total: number;
}

/** The part of a list that is in memory, by its place in the whole. */
export interface LoadedList {
  /** How many the whole list has. */
  readonly total: number;
  at(index: number): Proposal | undefined;
  /** -1 for what is not loaded. */
  indexOf(id: string | undefined): number;
}

type Asked = Parameters<typeof api.proposals.counts.$post>[0]["json"];
/** What a list is asked for by. The device parses it: an address may hold anything. */
const requestOf = ({ by: _, ...narrowed }: Narrowed) => narrowed as Asked;

/** @param look names the look at a list in the order of attention: what is decided meanwhile does not move it */
const pageQuery = (narrowed: Narrowed, page: number, look: string) => ({
  queryKey: ["proposals", narrowed, page, look] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Page> => {
    const order = narrowed.by === "attention" ? { look } : {};
    const json = { ...requestOf(narrowed), ...order, from: page * pageSize };
    return answerOf(api.proposals.page.$post({ json }, { init: { signal } }));
  },
  gcTime: unseenPageMs,
});

/**
 * Pages of a list, in its order, without what was decided just now. For one list: another one has a component of its own.
 *
 * @param decided ids
 */
export function useProposals(narrowed: Narrowed, pages: readonly number[], decided: ReadonlySet<string>) {
  // When this look at the list began, to the microsecond: no other tab's is the same.
  const [look] = useState(() => String(performance.timeOrigin + performance.now()));
  const answers = useQueries({ queries: pages.map((page) => pageQuery(narrowed, page, look)) });
  const { total, ...state } = useWholeList(answers);
  return { list: total === undefined ? undefined : loadedList(pages, answers, total, decided), ...state };
}

function loadedList(
  pages: readonly number[],
  answers: readonly UseQueryResult<Page>[],
  total: number,
  decided: ReadonlySet<string>,
): LoadedList {
  const proposals = new Map<number, Proposal>();
  const indexes = new Map<string, number>();
  let left = 0;
  for (const [at, page] of pages.entries()) {
    for (const [n, proposal] of (answers[at]?.data?.proposals ?? []).entries()) {
      const index = page * pageSize + n - left;
      if (decided.has(proposal.id)) left += 1;
      // Something may have arrived between two pages: then both end and begin with the same.
      else if (!indexes.has(proposal.id)) {
        proposals.set(index, proposal);
        indexes.set(proposal.id, index);
      }
    }
  }
  return {
    total: total - left,
    at: (index) => proposals.get(index),
    indexOf: (id) => indexes.get(id ?? "") ?? -1,
  };
}

/** Those of some proposals that nobody has decided meanwhile; undefined until that is known. */
export const usePendingOf = (ids: ReadonlySet<string>): ReadonlySet<string> | undefined =>
  useQuery({
    queryKey: ["proposals", "chosen", ...ids],
    queryFn: () => pendingOf([...ids]),
    enabled: ids.size > 0,
    gcTime: 0,
  }).data;

/** How many there are of each kind; the numbers before stay until those of another list are known. */
export const useCounts = (narrowed: Narrowed) =>
  useQuery({
    queryKey: ["counts", narrowed],
    queryFn: () => answerOf(api.proposals.counts.$post({ json: requestOf(narrowed) })),
    placeholderData: (before) => before,
  });

/** What forms and filters offer: the zone, projects, times to snooze until. */
export const useChoices = () => useQuery({ queryKey: ["choices"], queryFn: () => answerOf(api.choices.$get()) });

/** Scouts that filters offer. */
export const useScouts = () =>
  useQuery({ queryKey: ["scouts"], queryFn: () => answerOf(api.scouts.$get()), select: ({ scouts }) => scouts });

/** Least time between two refreshes: what arrives in a burst is asked for together. */
const refreshPauseMs = 100;
/** The brief looks at all that waits, and the device does nothing else meanwhile. */
const briefPauseMs = 1_000;

/** Asks anew for what is shown of some queries: one at a time, so that on a slow line none is cut off by its successor. */
function paced(names: readonly string[], pauseMs: number): (client: QueryClient) => Promise<void> {
  let isBusy = false;
  let again = false;
  return async (client) => {
    again = true;
    if (isBusy) return;
    isBusy = true;
    try {
      while (again) {
        again = false;
        await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })));
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    } finally {
      isBusy = false;
    }
  };
}

const refreshBrief = paced(["brief"], briefPauseMs);
const refreshRows = paced(["proposals", "counts", "conversation"], refreshPauseMs);

/** Asks for what is shown of lists anew, each at its own pace. */
export async function refreshLists(client: QueryClient): Promise<void> {
  await Promise.all([refreshRows(client), refreshBrief(client)]);
}

/** What was told of proposals and is not shown yet: of two in one moment the newer is. */
const news = new Map<string, Proposal>();

/** A proposal is as it is now, on its own page at once and in lists as soon as they are asked for. */
export function proposalIsNow(client: QueryClient, proposal: Proposal): void {
  const queryKey = ["proposal", proposal.id];
  const draftKey = [...queryKey, "draft"];
  void refreshLists(client);
  if (client.getQueryState(draftKey) !== undefined) void client.invalidateQueries({ queryKey: draftKey });
  // Of a thousand that are decided together nobody looks at one: each that were kept would be gone through for all others.
  if (client.getQueryState(queryKey) === undefined) return;
  news.set(proposal.id, proposal);
  // An answer that is under way may be older than this.
  void client.cancelQueries({ queryKey, exact: true }).then(() => {
    const newest = news.get(proposal.id);
    if (newest !== undefined) client.setQueryData(queryKey, newest);
    news.delete(proposal.id);
  });
}
