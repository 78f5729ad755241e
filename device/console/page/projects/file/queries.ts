import { useQuery } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";
import { answerOf, api } from "../../app/api.ts";

const one = api.projects[":id"].files[":number"];

/** A file, as addresses name it. */
export interface NamedFile {
  readonly id: string;
  readonly number: string;
}

export type Preview = InferResponseType<typeof one.preview.$post>["preview"];
export type Version = InferResponseType<typeof one.versions.$post>["versions"][number];

const look = { gcTime: 0, staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

export const useFile = ({ id, number }: NamedFile) =>
  useQuery({ queryKey: ["files", id, "one", number], queryFn: () => answerOf(one.$get({ param: { id, number } })) });

/** Each is a look at a file, which the device notes: no news has it repeated, and it leaves memory with the page. */
export const usePreview = (
  { id, number }: NamedFile,
  asked: { readonly startChar: number; readonly approves: boolean },
) =>
  useQuery({
    queryKey: ["preview", id, number, asked],
    queryFn: () => answerOf(one.preview.$post({ param: { id, number }, json: asked })),
    ...look,
  });

/** The file as a model would be given it; a look that the device notes. */
export const useModelView = ({ id, number }: NamedFile) =>
  useQuery({
    queryKey: ["preview", id, number, "model"],
    queryFn: () => answerOf(one["model-view"].$post({ param: { id, number } })),
    ...look,
  });

/** The versions of a file. @param approves whether the person has agreed that a private file is shown */
export const useVersions = ({ id, number }: NamedFile, approves: boolean) =>
  useQuery({
    queryKey: ["files", id, "versions", number, approves],
    queryFn: () => answerOf(one.versions.$post({ param: { id, number }, json: { approves } })),
    retry: false,
  });

export interface Compared {
  readonly from: string;
  /** Undefined for the file as it is. */
  readonly to: string | undefined;
  readonly approves: boolean;
}

/** How two versions differ; a look that the device notes. */
export const useDiff = ({ id, number }: NamedFile, compared: Compared) =>
  useQuery({
    queryKey: ["preview", id, number, "diff", compared],
    queryFn: () => answerOf(one.diff.$post({ param: { id, number }, json: compared })),
    ...look,
  });

/**
 * Puts a file back as it was in a version.
 *
 * @param json.currentHash of what was seen; null when there was no file
 * @throws ApiError `conflict` when it is another by now
 */
export const restore = (
  { id, number }: NamedFile,
  json: { readonly version: string; readonly currentHash: string | null; readonly approves: boolean },
) => answerOf(one.restore.$post({ param: { id, number }, json }));
