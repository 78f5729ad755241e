// biome-ignore-all lint/a11y/useSemanticElements: a cell of the grid around it
import { Link } from "@tanstack/react-router";
import type { InferResponseType } from "hono/client";
import { useTranslation } from "react-i18next";
import type { api } from "../../app/api.ts";
import { line } from "../../app/shown-text.ts";
import { dateNumber, dayText, startText, weekdayText } from "../times.ts";

export type ShownDay = InferResponseType<typeof api.work.calendar.$post>["days"][number];

interface CellProps {
  readonly day: string;
  /** Undefined while it is asked for. */
  readonly shown: ShownDay | undefined;
  readonly isChosen: boolean;
  readonly isToday: boolean;
  /** Of another month than the one that is shown. */
  readonly isOutside: boolean;
  readonly onChoose: () => void;
}

/** A day: its number, whether clocks are set on it, and what begins it. All of it is listed beside the grid. */
export function DayCell({ day, shown, isChosen, isToday, isOutside, onChoose }: CellProps) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const count = shown?.total ?? 0;
  const isLong = shown !== undefined && shown.hours !== 24;
  const clocks = isLong ? t("work.calendar.hours", { hours: shown.hours }) : "";
  const about = [dayText(day, language), ...(isToday ? [t("work.calendar.isToday")] : []), t("work.events", { count })];
  const state = [isChosen && "is-chosen", isToday && "is-today", isOutside && "is-outside"].filter(Boolean).join(" ");
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it takes the keys
    <div
      role="gridcell"
      className={`day-cell ${state}`}
      tabIndex={isChosen ? 0 : -1}
      data-day={day}
      aria-selected={isChosen}
      onClick={onChoose}
    >
      <span className="unseen">{about.join(", ")}</span>
      <span className="day-weekday" aria-hidden="true">
        {weekdayText(day, language)}
      </span>
      <span className="day-number" aria-hidden="true">
        {dateNumber(day, language)}
      </span>
      {isLong && <span className="day-hours">{clocks}</span>}
      {count > 0 && (
        <span className="day-count" aria-hidden="true">
          {new Intl.NumberFormat(language).format(count)}
        </span>
      )}
      {shown?.shown.map(({ id, title, start, first, isAllDay, status }) => (
        <Link
          key={`${id} ${start}`}
          to="/work/$kind/$id"
          params={{ kind: "events", id }}
          tabIndex={-1}
          className={`day-event ${isAllDay ? "is-all-day" : ""} ${status === "cancelled" ? "is-off" : ""}`}
        >
          {!isAllDay && first === day && <span className="day-time">{startText(start, language)} </span>}
          <bdi>{line(title)}</bdi>
        </Link>
      ))}
      {shown !== undefined && count > shown.shown.length && (
        <span className="day-more">{t("work.calendar.more", { count: count - shown.shown.length })}</span>
      )}
    </div>
  );
}
