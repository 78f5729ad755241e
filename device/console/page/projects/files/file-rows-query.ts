import { type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";
import { useState } from "react";
import { answerOf, api } from "../../app/api.ts";
import { looksElsewhere } from "../../app/late.ts";
import { pageSize, unseenPageMs, useWholeList } from "../../list/pages.ts";

const files = api.projects[":id"].files;
export type FilePage = InferResponseType<typeof files.tree.$post>;
export type FileRow = FilePage["rows"][number];
export type ShownFile = Extract<FileRow, { readonly type: "file" }>["file"];

type Asked = Parameters<typeof files.page.$post>[0]["json"];

/** What of a project's files is shown. */
export interface Shown {
  readonly id: string;
  readonly show: string;
  readonly words: string;
  /** Folders of the tree that are open; undefined for a list without folders. */
  readonly open: readonly string[] | undefined;
}

/** The part of a list that is in memory, by its place in the whole. */
export interface LoadedRows {
  readonly total: number;
  at(index: number): FileRow | undefined;
}

const pageQuery = (shown: Shown, page: number) => ({
  queryKey: ["files", shown.id, "rows", shown, page] as const,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<FilePage> => {
    const { id, show, words, open } = shown;
    // The device parses it: an address may hold anything.
    const json = { words, from: page * pageSize, show } as Asked;
    const asked = { init: { signal } };
    return open === undefined
      ? answerOf(files.page.$post({ param: { id }, json }, asked))
      : answerOf(files.tree.$post({ param: { id }, json: { ...json, open: [...open] } }, asked));
  },
  gcTime: unseenPageMs,
});

/** Pages of the files of a project. For one list: another one has a component of its own. */
export function useFileRows(shown: Shown, pages: readonly number[]) {
  const answers = useQueries({ queries: pages.map((page) => pageQuery(shown, page)) });
  const { total, ...state } = useWholeList(answers);
  const loaded = useLoaded(pages, answers);
  const at = (index: number) => loaded.get(Math.floor(index / pageSize))?.[index % pageSize];
  const list: LoadedRows | undefined = total === undefined ? undefined : { total, at };
  return { list, ...state };
}

/** Rows by their pages. Until those of a folder that was just opened are there, what was there stays, and the focus in it. */
function useLoaded(pages: readonly number[], answers: readonly UseQueryResult<FilePage>[]) {
  const [before, setBefore] = useState<ReadonlyMap<number, FilePage["rows"]>>(new Map());
  const loaded = new Map(
    pages.flatMap((page, at) => {
      const rows = answers[at]?.data?.rows ?? before.get(page);
      return rows === undefined ? [] : [[page, rows] as const];
    }),
  );
  const isOther = loaded.size !== before.size || [...loaded].some(([page, rows]) => before.get(page) !== rows);
  if (isOther) setBefore(loaded);
  return loaded;
}

/** How often a folder that is looked at is compared with what is known of it. */
const lookEveryMs = 60_000;

/**
 * How the folder on the disk differs from what is known of it; looked at once a minute while somebody sees it. A
 * failure is shown at once and not tried again.
 */
export const useDisk = (id: string) =>
  useQuery({
    queryKey: ["files", id, "disk"],
    queryFn: () => answerOf(api.projects[":id"].disk.$post({ param: { id } })),
    refetchInterval: lookEveryMs,
    retry: false,
    meta: looksElsewhere,
  });
