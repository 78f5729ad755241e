import type { Here } from "../../work/dates/read-date.ts";
import { repeatsOf } from "../../work/recurrence/repeats.ts";
import { type RuleShape, shapeOf } from "../../work/recurrence/rule-shape.ts";
import type { SeriesEvent } from "../../work/recurrence/series.ts";

/** A rule for a page, which says it in its own language. */
interface ShownRule {
  /** Null where there are no short words for it: it is shown as it is written. */
  readonly shape: RuleShape | null;
  /** How many times it takes place; null where nobody has said. */
  readonly count: number | null;
  /** The last day; null where nobody has said. */
  readonly until: string | null;
  readonly written: string;
}

/** How often an event takes place, for a page. */
export type ShownRepeats = NonNullable<ReturnType<typeof shownRepeats>>;

/** How often an event takes place, for a page; null of one that takes place once. */
export function shownRepeats(event: SeriesEvent, here: Here) {
  if (event.recurrence.length === 0) return null;
  const { rules, ...others } = repeatsOf(event, here);
  return {
    ...others,
    rules: rules.map(({ parts, until, written }): ShownRule => {
      const shape = parts === undefined ? undefined : shapeOf(parts, event.start);
      return { shape: shape ?? null, count: parts?.count ?? null, until, written };
    }),
  };
}
