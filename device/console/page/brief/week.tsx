import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { line } from "../app/shown-text.ts";
import { dayText, hoursText, whenText } from "../decide/when-text.ts";
import { PartlyKnown } from "../work/calendar/partly-known.tsx";
import type { BriefOf } from "./waiting.tsx";

/** Of one day, and of what is overdue; the rest by number. */
const mostOfDay = 6;

interface WeekProps {
  readonly week: BriefOf["week"];
  /** How many of what waits name a day of it. */
  readonly namingDays: number;
  /** `2026-11-27` where the person is. */
  readonly today: string;
}

/** Deadlines and events of the next seven days. */
export function Week({ week, namingDays, today }: WeekProps) {
  const { t, i18n } = useTranslation();
  const { overdue, days } = week;
  return (
    <section className="panel" aria-labelledby="brief-week">
      <h2 id="brief-week">{t("brief.week")}</h2>
      {days.length === 0 && overdue.length === 0 && (
        <p className="hint">{namingDays === 0 ? t("brief.emptyWeek") : t("brief.notTakenOn", { count: namingDays })}</p>
      )}
      {overdue.length > 0 && (
        <Day name={t("brief.overdue")} count={overdue.length}>
          {overdue.slice(0, mostOfDay).map((task) => (
            <li key={task.id}>
              <ToWork kind="tasks" id={task.id} title={task.title} />{" "}
              <span className="hint">{whenText(task, i18n.language)}</span>
            </li>
          ))}
        </Day>
      )}
      {days.map(({ day, events, tasks }) => (
        <Day
          key={day}
          name={day === today ? t("brief.today", { day: dayText(day, i18n.language) }) : dayText(day, i18n.language)}
          count={events.length + tasks.length}
        >
          {events.slice(0, mostOfDay).map((event) => (
            <li key={`${event.id} ${event.start}`}>
              <span className="hint">{event.isAllDay ? t("brief.allDay") : hoursText(event, i18n.language)}</span>{" "}
              <ToWork kind="events" id={event.id} title={event.title} />
              {event.place !== "" && (
                <span className="hint">
                  {" "}
                  <bdi>{line(event.place)}</bdi>
                </span>
              )}
              {event.isTentative && <span className="hint"> {t("brief.tentative")}</span>}
            </li>
          ))}
          {tasks.slice(0, Math.max(0, mostOfDay - events.length)).map((task) => (
            <li key={task.id}>
              <span className="hint">{t("brief.dueToday")}</span>{" "}
              <ToWork kind="tasks" id={task.id} title={task.title} />
            </li>
          ))}
        </Day>
      ))}
      <PartlyKnown series={week.partlyKnown} />
    </section>
  );
}

interface ToWorkProps {
  /** As the pages of work are called. */
  readonly kind: "tasks" | "events";
  readonly id: string;
  readonly title: string;
}

const ToWork = ({ kind, id, title }: ToWorkProps) => (
  <Link to="/work/$kind/$id" params={{ kind, id }}>
    <bdi>{line(title)}</bdi>
  </Link>
);

interface DayProps {
  readonly name: string;
  readonly count: number;
  readonly children: React.ReactNode;
}

function Day({ name, count, children }: DayProps) {
  const { t } = useTranslation();
  return (
    <div>
      <h3>{name}</h3>
      <ul className="brief-lines">{children}</ul>
      {count > mostOfDay && <p className="hint">{t("brief.andMore", { count: count - mostOfDay })}</p>}
    </div>
  );
}
