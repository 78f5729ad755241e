import { useQuery } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";
import { answerOf, api } from "../app/api.ts";

/** News of scouts has projects asked anew as well: a folder's scout is one. */
const about = "scouts";

const one = api.projects[":id"];
export type Project = InferResponseType<typeof api.projects.$get>["projects"][number];
export type Overview = InferResponseType<typeof one.overview.$get>["overview"];
export type ProjectTask = InferResponseType<typeof one.tasks.$get>["tasks"][number];

export const useProjects = () =>
  useQuery({ queryKey: [about, "projects"], queryFn: () => answerOf(api.projects.$get()) });
export const useProject = (id: string) =>
  useQuery({ queryKey: [about, "project", id], queryFn: () => answerOf(one.$get({ param: { id } })) });
export const useOverview = (id: string) =>
  useQuery({ queryKey: ["files", id, "overview"], queryFn: () => answerOf(one.overview.$get({ param: { id } })) });
export const usePlan = (id: string) =>
  useQuery({ queryKey: [about, "plan", id], queryFn: () => answerOf(one.plan.$get({ param: { id } })), retry: false });
export const useTasks = (id: string) =>
  useQuery({ queryKey: ["work", "of", id], queryFn: () => answerOf(one.tasks.$get({ param: { id } })) });
