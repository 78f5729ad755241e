import { useQuery } from "@tanstack/react-query";
import { answerOf, api } from "../app/api.ts";

/** What is content leaves the tab's memory with the page. */
const content = { gcTime: 0 } as const;

export const useSetting = () => useQuery({ queryKey: ["ask", "setting"], queryFn: () => answerOf(api.ask.$get()) });

/** Answers that are kept, newest first; of all projects when none is named. */
export const useConversations = (projectId: string | undefined) =>
  useQuery({
    queryKey: ["answers", "list", projectId ?? "all"],
    queryFn: () => answerOf(api.ask.conversations.$post({ json: projectId === undefined ? {} : { projectId } })),
    ...content,
  });

export const useConversation = (id: string) =>
  useQuery({
    queryKey: ["answers", "one", id],
    queryFn: () => answerOf(api.ask.conversations[":id"].$get({ param: { id } })),
    ...content,
  });
