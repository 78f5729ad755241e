import type { CalendarEvent } from "../entities.ts";
import { type SeriesEvent, type SeriesGap, seriesOf } from "./series.ts";

/** A series not all of whose times are known, so that it is missing where it takes place. */
export interface PartlyKnown {
  readonly id: string;
  readonly title: string;
  readonly gap: SeriesGap;
}

/** What a person is told of it. */
export const gapWords: Readonly<Record<SeriesGap, string>> = {
  rule: "one of its rules or dates is not understood, so it may take place more often than is shown",
  steps: "it has more rules or dates than are worked out, so only its first time is shown",
};

/** Why not all times of an event are known; null where they are. */
export const gapOf = (event: SeriesEvent): SeriesGap | null =>
  event.recurrence.length === 0 ? null : seriesOf(event).gap;

/** The same in words; empty where all times are known. */
export function gapTextOf(event: SeriesEvent): string {
  const gap = gapOf(event);
  return gap === null ? "" : gapWords[gap];
}

/** Of some events the series that are to take place, and not all of whose times are known. */
export const partlyKnown = (events: readonly CalendarEvent[]): PartlyKnown[] =>
  events.flatMap((event) => {
    const gap = event.status === "cancelled" ? null : gapOf(event);
    return gap === null ? [] : [{ id: event.id, title: event.title, gap }];
  });
