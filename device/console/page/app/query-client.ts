import { QueryClient, type QueryKey } from "@tanstack/react-query";
import { ApiError } from "./api.ts";

/** Content stays in memory for as long as it is shown; the stream of events says when it is another. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
      networkMode: "always",
      refetchOnWindowFocus: false,
      retry: (count, error) => error instanceof ApiError && error.status === 503 && count < 2,
    },
    mutations: { networkMode: "always" },
  },
});

/**
 * Has what is being asked for asked for once more when it is answered: that answer may be older than news that came meanwhile,
 * and hide it. It is not cut off by the news: on a slow line, with news after news, it would never come.
 */
export function askAgainOnceAnswered(client: QueryClient, queryKey: QueryKey): void {
  for (const { queryKey: key, promise } of client.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" })) {
    const askAgain = () => client.invalidateQueries({ queryKey: key, exact: true }, { cancelRefetch: false });
    void promise?.then(askAgain, askAgain);
  }
}
