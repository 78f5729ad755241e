import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";
import { answerOf, api, tabHeaders } from "../app/api.ts";

/** Everything that is asked about activity; the stream of events says when it is another. */
const about = "activity";

export type Approval = InferResponseType<typeof api.activity.approvals.$get>["waiting"][number];
export type Run = InferResponseType<typeof api.activity.runs.$get>["runs"][number];
export type TrailRow = InferResponseType<typeof api.activity.trails.page.$post>["records"][number];

export interface TrailFilter {
  readonly trail?: string;
  readonly caller?: string;
  readonly tool?: string;
  readonly session?: string;
}

/** A program that was killed tells nobody that it waits no more. */
const lookAgainMs = 5_000;

export const useApprovals = () =>
  useQuery({
    queryKey: [about, "approvals"],
    queryFn: () => answerOf(api.activity.approvals.$get()),
    refetchInterval: ({ state }) => (state.data?.waiting.length ? lookAgainMs : false),
    gcTime: 0,
  });

export const useRuns = () =>
  useQuery({ queryKey: [about, "runs"], queryFn: () => answerOf(api.activity.runs.$get()), gcTime: 0 });

export const useTrails = () =>
  useQuery({ queryKey: [about, "trails"], queryFn: () => answerOf(api.activity.trails.$get()) });

const begin: Readonly<Record<string, number>> = {};

export const useTrail = (filter: TrailFilter) =>
  useInfiniteQuery({
    queryKey: [about, "trail", filter],
    queryFn: ({ pageParam }) => answerOf(api.activity.trails.page.$post({ json: { ...filter, places: pageParam } })),
    initialPageParam: begin,
    getNextPageParam: ({ next }) => next,
    gcTime: 0,
  });

/** Does something that is seen in what is shown here. */
export function useDoing<V, T>(work: (asked: V) => Promise<T>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: work,
    // It may have failed because it is otherwise by now.
    onSettled: () => client.invalidateQueries({ queryKey: [about] }),
  });
}

export const answerApproval = ({ id, isApproved }: { readonly id: string; readonly isApproved: boolean }) =>
  answerOf(api.activity.approvals[":id"].$put({ param: { id }, json: { isApproved } }));

export const undoSession = ({ trail, session }: { readonly trail: string; readonly session: string }) =>
  answerOf(api.activity.runs.undo.$post({ json: { trail, session } }));

export const verifyTrail = (trail: string) =>
  answerOf(api.activity.trails[":trail"].verify.$post({ param: { trail } }));

/** A trail as a file, as `scouts audit export` writes it. @throws ApiError */
export async function saveTrail(trail: string): Promise<void> {
  const answer = await fetch(`/api/activity/trails/${encodeURIComponent(trail)}/export`, { headers: tabHeaders() });
  if (!answer.ok) await answerOf(Promise.resolve(answer));
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = `audit-${trail}.jsonl`;
  link.click();
  URL.revokeObjectURL(address);
}
