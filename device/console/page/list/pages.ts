import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

/** Rows the device gives at once: `proposalsAPage`, `filesAPage` and `rowsAPage` in its use cases. */
export const pageSize = 100;
/** A page nobody looks at leaves memory after that: a list of any length takes no more than what is seen of it. */
export const unseenPageMs = 5_000;

/** The pages that hold a range of a list. */
export function pagesOf(first: number, last: number): number[] {
  const from = Math.floor(Math.max(0, first) / pageSize);
  const to = Math.floor(Math.max(0, last) / pageSize);
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

/** What the pages of a list that were asked for say of all of it: at least one, each with the length of the whole. */
export function useWholeList(answers: readonly UseQueryResult<{ readonly total: number }>[]) {
  const newest = answers.reduce((a, b) => (b.dataUpdatedAt > a.dataUpdatedAt ? b : a));
  // Somewhere else in the list nothing is loaded yet, and the list is as long as it was.
  const [total, setTotal] = useState(newest.data?.total);
  if (newest.data !== undefined && newest.data.total !== total) setTotal(newest.data.total);
  const retry = () => {
    for (const answer of answers) void answer.refetch();
  };
  const { error } = answers.find(({ isLoadingError }) => isLoadingError) ?? { error: null };
  /** Pages that are shown as they were. */
  const older = answers.filter(({ isRefetchError }) => isRefetchError);
  return { total, error, older, retry };
}
