import { notifyManager, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api.ts";

// At once, and not when the page has time: until a button is drawn as waiting, a second press asks for the same again.
notifyManager.setScheduler(queueMicrotask);

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
