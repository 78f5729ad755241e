import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";
import { answerOf, api } from "../app/api.ts";
import { looksElsewhere } from "../app/late.ts";
import { type Called, useDeed } from "../form/use-deed.ts";

/** Everything about scouts begins with this word: news of them has it asked anew. */
const about = "scouts";

export type ScoutList = InferResponseType<typeof api.scouts.$get>;
export type Scout = ScoutList["scouts"][number];
export type Health = InferResponseType<(typeof api.scouts)[":id"]["health"]["$get"]>;
export type Folder = InferResponseType<typeof api.folders.$get>["folders"][number];
export type Run = InferResponseType<(typeof api.scouts)[":id"]["runs"]["$get"]>["runs"][number];
export type SourceKind = InferResponseType<typeof api.sources.$get>["kinds"][number];
export type Connecting = InferResponseType<typeof api.scouts.$post>;

export const useScoutList = () => useQuery({ queryKey: [about], queryFn: () => answerOf(api.scouts.$get()) });
export const useFolders = () => useQuery({ queryKey: [about, "folders"], queryFn: () => answerOf(api.folders.$get()) });
export const useKinds = () => useQuery({ queryKey: ["kinds"], queryFn: () => answerOf(api.sources.$get()) });
export const useScout = (id: string) =>
  useQuery({ queryKey: [about, "one", id], queryFn: () => answerOf(api.scouts[":id"].$get({ param: { id } })) });
export const useHealth = (id: string) =>
  useQuery({
    queryKey: [about, "health", id],
    queryFn: () => answerOf(api.scouts[":id"].health.$get({ param: { id } })),
  });
export const useSight = (id: string) =>
  useQuery({
    queryKey: [about, "sees", id],
    queryFn: () => answerOf(api.scouts[":id"].sees.$get({ param: { id } })),
    meta: looksElsewhere,
  });
export const useRuns = (id: string) =>
  useQuery({ queryKey: [about, "runs", id], queryFn: () => answerOf(api.scouts[":id"].runs.$get({ param: { id } })) });
export const useScans = (id: string) =>
  useQuery({
    queryKey: [about, "scans", id],
    queryFn: () => answerOf(api.folders[":id"].scans.$get({ param: { id } })),
  });

/**
 * Something that changes a scout or a folder; what is shown of them is asked anew. What was sent is forgotten with the
 * answer: secrets may be among it.
 */
export function useChange<V, T>(
  called: Called<V>,
  change: (asked: V) => Promise<T>,
  onDone?: (result: T, asked: V) => void,
) {
  const client = useQueryClient();
  return useDeed({
    called,
    mutationFn: change,
    gcTime: 0,
    // It may have failed because it is otherwise by now.
    onError: () => client.invalidateQueries({ queryKey: [about] }),
    onSuccess: async (result, asked) => {
      await client.invalidateQueries({ queryKey: [about] });
      onDone?.(result, asked);
    },
  });
}
