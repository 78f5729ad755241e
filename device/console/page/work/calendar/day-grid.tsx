// biome-ignore-all lint/a11y/useSemanticElements: a table that is laid out as a grid is none for a screen reader any more
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { weekdayText } from "../times.ts";
import { DayCell, type ShownDay } from "./day-cell.tsx";
import { dayAfter, monthAfter, type View, type Week } from "./weeks.ts";

interface GridProps {
  readonly weeks: readonly Week[];
  /** A week to name its days by. */
  readonly names: readonly string[];
  readonly view: View;
  /** The one that is chosen. */
  readonly day: string;
  readonly today: string;
  readonly days: readonly ShownDay[];
  readonly label: string;
  readonly onDay: (day: string) => void;
}

/** Where a key leads from a day; undefined where it leads nowhere. */
function targetOf(
  { key, shiftKey }: KeyboardEvent,
  { weeks, view, day }: Pick<GridProps, "weeks" | "view" | "day">,
): string | undefined {
  const week = weeks.find((each) => each.includes(day));
  const far = (by: number) =>
    shiftKey ? monthAfter(day, 12 * by) : view === "week" ? dayAfter(day, 7 * by) : monthAfter(day, by);
  switch (key) {
    case "ArrowLeft":
      return dayAfter(day, -1);
    case "ArrowRight":
      return dayAfter(day, 1);
    case "ArrowUp":
      return dayAfter(day, -7);
    case "ArrowDown":
      return dayAfter(day, 7);
    case "Home":
      return week?.find((each) => each !== undefined);
    case "End":
      return week?.findLast((each) => each !== undefined);
    case "PageUp":
      return far(-1);
    case "PageDown":
      return far(1);
    default:
      return undefined;
  }
}

/** Days as a grid that one goes through with the arrow keys (ARIA APG, grid); one cell of it takes the focus. */
export function DayGrid({ weeks, names, view, day, today, days, label, onDay }: GridProps) {
  const { i18n } = useTranslation();
  const grid = useRef<HTMLDivElement>(null);
  const focusNext = useRef(false);
  const known = new Map(days.map((each) => [each.day, each]));
  useEffect(() => {
    if (!focusNext.current) return;
    focusNext.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus();
  }, [day]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      document.getElementById("day-title")?.focus();
      return;
    }
    const target = targetOf(event, { weeks, view, day });
    if (target === undefined) return;
    event.preventDefault();
    focusNext.current = true;
    onDay(target);
  };
  return (
    <div
      ref={grid}
      role="grid"
      aria-label={label}
      className={`day-grid view-${view}`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div role="row" className="day-week day-names" tabIndex={-1}>
        {names.map((each) => (
          <span key={each} role="columnheader" tabIndex={-1}>
            {weekdayText(each, i18n.language)}
          </span>
        ))}
      </div>
      {weeks.map((week) => (
        <div key={week.join()} role="row" className="day-week" tabIndex={-1}>
          {week.map((date, at) =>
            date === undefined ? (
              <span key={names[at]} role="gridcell" className="day-cell is-outside" tabIndex={-1} />
            ) : (
              <DayCell
                key={date}
                day={date}
                shown={known.get(date)}
                isChosen={date === day}
                isToday={date === today}
                isOutside={view === "month" && date.slice(0, 7) !== day.slice(0, 7)}
                onChoose={() => onDay(date)}
              />
            ),
          )}
        </div>
      ))}
    </div>
  );
}
