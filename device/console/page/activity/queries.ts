import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";
import { answerOf, api, tabHeaders } from "../app/api.ts";
import { type Called, useDeed } from "../form/use-deed.ts";

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

/** What waits for a yes, and what was answered lately. While something waits, it is asked for again every five seconds. */
export const useApprovals = () =>
  useQuery({
    queryKey: [about, "approvals"],
    queryFn: () => answerOf(api.activity.approvals.$get()),
    refetchInterval: ({ state }) => (state.data?.waiting.length ? lookAgainMs : false),
    gcTime: 0,
  });

/** What programs have done to files, by their sessions; it leaves the tab's memory with the page. */
export const useRuns = () =>
  useQuery({ queryKey: [about, "runs"], queryFn: () => answerOf(api.activity.runs.$get()), gcTime: 0 });

/** The audit trails of this device: one for each project, and the device's own. */
export const useTrails = () =>
  useQuery({ queryKey: [about, "trails"], queryFn: () => answerOf(api.activity.trails.$get()) });

const begin: Readonly<Record<string, number>> = {};

/** The records of one trail, or of all of them, a page at a time; each page says where the next one begins in each trail. */
export const useTrail = (filter: TrailFilter) =>
  useInfiniteQuery({
    queryKey: [about, "trail", filter],
    queryFn: ({ pageParam }) => answerOf(api.activity.trails.page.$post({ json: { ...filter, places: pageParam } })),
    initialPageParam: begin,
    getNextPageParam: ({ next }) => next,
    gcTime: 0,
  });

/** Does something that is seen in what is shown here. */
export function useDoing<V, T>(called: Called<V>, work: (asked: V) => Promise<T>) {
  const client = useQueryClient();
  return useDeed({
    called,
    mutationFn: work,
    // It may have failed because it is otherwise by now.
    onSettled: () => client.invalidateQueries({ queryKey: [about] }),
  });
}

/** Gives a yes or a no. @throws ApiError `approval_unknown`, `approval_ended` when somebody else has answered meanwhile */
export const answerApproval = ({ id, isApproved }: { readonly id: string; readonly isApproved: boolean }) =>
  answerOf(api.activity.approvals[":id"].$put({ param: { id }, json: { isApproved } }));

/** Puts the files back as they were before a session. @throws ApiError when one of them has changed since */
export const undoSession = ({ trail, session }: { readonly trail: string; readonly session: string }) =>
  answerOf(api.activity.runs.undo.$post({ json: { trail, session } }));

/** Has the device look whether a trail is as it was written. @throws ApiError */
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
