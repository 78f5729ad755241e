import { useEffect, useRef } from "react";
import type { Place, Whereabouts } from "./kept-place.ts";

interface Now {
  /** The first row that is seen. */
  readonly first: number;
  /** The row one stands at; undefined where there is none, or none any more. */
  readonly at: Place | undefined;
  readonly isSeen: boolean;
}

/**
 * Notes where one is in a list, as soon as one has been brought back to where one was: what is seen before that is its top.
 * Whoever has scrolled on is where they look, and not where they stood; a row that was out of sight for a moment is stood at again.
 *
 * @param left where one was when one came
 * @param keep the same for as long as it is the same list
 */
export function useKeeping(left: Whereabouts, { first, at, isSeen }: Now, keep: (where: Whereabouts) => void): void {
  const isBack = useRef(false);
  const { id, index } = at ?? {};
  useEffect(() => {
    const isGone = id === undefined || index === undefined;
    isBack.current ||= left.at === undefined ? first > 0 || left.first === 0 : isSeen || isGone;
    if (isBack.current) keep({ first, at: isSeen && !isGone ? { id, index } : undefined });
  }, [left, first, id, index, isSeen, keep]);
}
