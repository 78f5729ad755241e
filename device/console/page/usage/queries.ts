import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";
import { answerOf, api } from "../app/api.ts";
import { useDeed } from "../form/use-deed.ts";

export type Usage = InferResponseType<typeof api.usage.$get>;
export type ToldUsage = NonNullable<Usage["told"]>;
export type Feature = ToldUsage["limits"][number]["feature"];
export type Price = NonNullable<Usage["price"]>;

export const useUsage = () => useQuery({ queryKey: ["usage"], queryFn: () => answerOf(api.usage.$get()) });

export const useArtifacts = () =>
  useQuery({ queryKey: ["usage", "artifacts"], queryFn: () => answerOf(api.usage.artifacts.$get()) });

/** Keeps what a million tokens cost, as it is typed; null forgets it, and no costs are shown. */
export function useSetPrice(
  called: readonly string[],
  onDone: (asked: { perMillion: string; currency: string } | null) => void,
) {
  const client = useQueryClient();
  return useDeed({
    called,
    mutationFn: (price: { perMillion: string; currency: string } | null) =>
      answerOf(api.usage.price.$put({ json: { price } })),
    onSuccess: async (_, asked) => {
      await client.invalidateQueries({ queryKey: ["usage"], exact: true });
      onDone(asked);
    },
  });
}
