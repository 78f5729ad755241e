import { useQuery } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";
import { answerOf, api } from "../app/api.ts";
import { loadDrafts } from "./drafts.ts";

const edits = api.edits[":id"];

export type Merging = InferResponseType<typeof edits.merge.$post>;
export type MergedPart = Merging["parts"][number];

/** A file that is edited. Its path stands in bodies alone. */
export interface EditedFile {
  readonly project: string;
  readonly path: string;
  readonly approves: boolean;
}

const requestOf = ({ project: id, path, approves }: EditedFile) => ({ param: { id }, json: { path, approves } });

/** A look at a file, which the device notes: no news has it repeated, and it leaves memory with the page. */
export const useText = (file: EditedFile, isWanted: boolean) =>
  useQuery({
    queryKey: ["preview", file.project, "text", file.path, file.approves],
    queryFn: () => answerOf(edits.text.$post(requestOf(file))),
    enabled: isWanted,
    gcTime: 0,
    retry: false,
  });

/** Drafts that are kept, opened with the device's key. Where that cannot be had, it is not asked for again. */
export const useDrafts = () => useQuery({ queryKey: ["drafts"], queryFn: loadDrafts, gcTime: 0, retry: false });

/**
 * Saves a text over the one that was read.
 *
 * @param baseHash of what was read; null for a new file
 * @throws ApiError `conflict` when the file is another by now
 */
export function saveText(file: EditedFile, text: string, baseHash: string | null) {
  const { param, json } = requestOf(file);
  return answerOf(edits.save.$post({ param, json: { ...json, text, baseHash } }));
}

/** What becomes of a file when the person's text goes together with what the file is now. Nothing is saved. @throws ApiError */
export function mergeText(file: EditedFile, texts: { readonly base: string; readonly mine: string }) {
  const { param, json } = requestOf(file);
  return answerOf(edits.merge.$post({ param, json: { ...json, ...texts } }));
}
