import { type InfiniteData, type QueryClient, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { answerOf, api, type Proposal } from "../app/api.ts";
import type { InboxSearch } from "../app/router.tsx";

interface Page {
  readonly proposals: readonly Proposal[];
  /** Where the next one begins. */
  readonly next: string | null;
}
type Pages = InfiniteData<Page, string>;

/** Only what the device can parse is asked for: an address may hold anything. */
const queryOf = ({ scout, why }: InboxSearch) => ({
  ...(scout === undefined ? {} : { scout }),
  ...(why === undefined ? {} : { why }),
});

/** What waits for a decision, newest first, page by page. */
export const usePending = (search: InboxSearch) =>
  useInfiniteQuery({
    queryKey: ["pending", search] as const,
    queryFn: ({ pageParam }): Promise<Page> =>
      answerOf(api.proposals.$get({ query: { status: "pending", ...queryOf(search), after: pageParam } as never })),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });

export const useCounts = (search: InboxSearch) =>
  useQuery({
    queryKey: ["counts", search],
    queryFn: () => answerOf(api.counts.$get({ query: { status: "pending", ...queryOf(search) } as never })),
    placeholderData: (before) => before,
  });

export const useScouts = () =>
  useQuery({ queryKey: ["scouts"], queryFn: () => answerOf(api.scouts.$get()), select: ({ scouts }) => scouts });

/** A proposal is as it is now: in every list it belongs to, once and in its place, and in no other. */
export function patchProposal(client: QueryClient, proposal: Proposal): void {
  for (const [key, pages] of client.getQueriesData<Pages>({ queryKey: ["pending"] })) {
    if (pages === undefined) continue;
    client.setQueryData<Pages>(key, patched(pages, proposal, searchIn(key)));
  }
  client.setQueryData(["proposal", proposal.id], proposal);
  void client.invalidateQueries({ queryKey: ["counts"] });
}

const searchIn = (key: readonly unknown[]): InboxSearch => {
  const search = key[1];
  return typeof search === "object" && search !== null ? search : {};
};

function patched({ pages, pageParams }: Pages, proposal: Proposal, { scout, why }: InboxSearch): Pages {
  const belongs =
    proposal.status === "pending" &&
    (scout === undefined || scout === proposal.scoutId) &&
    (why === undefined || why === proposal.reasonCode);
  const without = pages.map((page) => ({ ...page, proposals: page.proposals.filter(({ id }) => id !== proposal.id) }));
  if (!belongs) return { pages: without, pageParams };
  const at = without.findIndex(
    ({ proposals, next }) => next === null || proposals.some((each) => isBefore(proposal, each)),
  );
  // What lies behind the pages that are loaded comes with its own page.
  if (at === -1) return { pages: without, pageParams };
  return { pages: without.map((page, n) => (n === at ? inserted(page, proposal) : page)), pageParams };
}

const isBefore = (a: Proposal, b: Proposal): boolean =>
  a.triagedAt > b.triagedAt || (a.triagedAt === b.triagedAt && a.id > b.id);

function inserted(page: Page, proposal: Proposal): Page {
  const at = page.proposals.findIndex((each) => isBefore(proposal, each));
  const place = at === -1 ? page.proposals.length : at;
  return { ...page, proposals: page.proposals.toSpliced(place, 0, proposal) };
}
