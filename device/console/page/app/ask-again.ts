import type { QueryClient, QueryKey } from "@tanstack/react-query";

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
