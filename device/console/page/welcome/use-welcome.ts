import { useQuery } from "@tanstack/react-query";
import { answerOf, api } from "../app/api.ts";

/** Whether there is anything yet, and whether there is a sample to begin with. */
export const useWelcome = () =>
  useQuery({ queryKey: ["welcome"], queryFn: () => answerOf(api.welcome.$get()), gcTime: 0 });
