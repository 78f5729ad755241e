import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { pageSize, pagesOf, useWholeList } from "../list/pages.ts";
import type { Asked } from "../states/missing.tsx";
import { about } from "./queries.ts";

interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** A list of which those pages are there that were looked at. */
export interface Paged<T> {
  /** Undefined until the first page is there. */
  readonly total: number | undefined;
  at(index: number): T | undefined;
  readonly error: Error | null;
  /** What of it is shown as it was. */
  readonly older: readonly Asked[];
  retry(): void;
  /** Which rows are looked at now. */
  look(first: number, last: number): void;
}

/**
 * A list by pages, however long it is. For one list: another one has a component of its own.
 *
 * @param name tells it from other lists, with what it is narrowed to
 */
export function usePaged<T>(name: readonly unknown[], load: (from: number) => Promise<Page<T>>): Paged<T> {
  const [pages, setPages] = useState<readonly number[]>([0]);
  const answers = useQueries({
    queries: pages.map((page) => ({
      queryKey: [about, ...name, page],
      queryFn: () => load(page * pageSize),
      placeholderData: keepPreviousData,
    })),
  });
  const known = new Map(pages.map((page, at) => [page, answers[at]?.data]));
  return {
    ...useWholeList(answers),
    at: (index) => known.get(Math.floor(index / pageSize))?.rows[index % pageSize],
    look(first, last) {
      const wanted = pagesOf(first, last);
      if (wanted.join() !== pages.join()) setPages(wanted);
    },
  };
}
