import { useQuery } from "@tanstack/react-query";
import { answerOf, api } from "../app/api.ts";

/** A line of a file of a project's folder. */
export interface Place {
  readonly projectId: string;
  readonly path: string;
  readonly line: number;
}

/** The text around a line of a file as it is now. It is asked for anew each time somebody looks. */
export const useTextAt = ({ projectId, path, line }: Place) =>
  useQuery({
    queryKey: ["place", projectId, path, line],
    queryFn: () => answerOf(api.ask.place.$post({ json: { projectId, path, line } })),
    staleTime: 0,
    // It is content, and leaves the tab's memory with the page.
    gcTime: 0,
  });
