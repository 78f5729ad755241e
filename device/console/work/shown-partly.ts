import type { PartlyKnown } from "../../work/recurrence/partly-known.ts";

/** Of series not all of whose times are known. */
const shownSeries = 5;
const titleLength = 300;

/** The first ones of them, and how many more there are. */
export const shownPartly = (all: readonly PartlyKnown[]) => ({
  shown: all
    .slice(0, shownSeries)
    .map(({ id, title, gap }) => ({ id, title: title.slice(0, titleLength).toWellFormed(), gap })),
  more: Math.max(0, all.length - shownSeries),
});
