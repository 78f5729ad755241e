import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import "./calendar.css";
import { answerOf, api } from "../../app/api.ts";
import { useKeys } from "../../app/keys.ts";
import { useGo } from "../../routes/go.ts";
import { Failed, Loading } from "../../states/states.tsx";
import { ExportButton, ImportButton } from "../files.tsx";
import { about } from "../queries.ts";
import { monthText } from "../times.ts";
import { MoreTools, WorkFrame } from "../work-frame.tsx";
import { DayGrid } from "./day-grid.tsx";
import { DayPanel } from "./day-panel.tsx";
import { PartlyKnown } from "./partly-known.tsx";
import { dayAfter, monthAfter, someWeek, type View, weekStart, weeksAround } from "./weeks.ts";

const route = getRouteApi("/work/calendar");
/** Events named in a cell: there is a list of all of them beside. */
const most = { month: 3, week: 12 } as const;

/** Today where the browser is, until the device says where the person is. */
const browserToday = (): string => new Intl.DateTimeFormat("sv-SE", { dateStyle: "short" }).format(Date.now());

/** What is when, by month or week, and one day of it in full. */
export function CalendarPage() {
  const { t, i18n } = useTranslation();
  const lead = useGo();
  const search = route.useSearch();
  const view: View = search.view === "week" ? "week" : "month";
  const day = search.day ?? browserToday();
  const start = weekStart(i18n.language, navigator.languages);
  const weeks = weeksAround(day, view, start);
  const shown = weeks.flat().filter((each) => each !== undefined);
  const [first = day, last = day] = [shown[0], shown.at(-1)];
  const calendar = useQuery({
    queryKey: [about, "calendar", first, last, most[view]],
    queryFn: () => answerOf(api.work.calendar.$post({ json: { first, last, most: most[view] } })),
    placeholderData: keepPreviousData,
  });
  const go = (to: string, how: View = view) =>
    void lead({ to: "/work/calendar", search: { view: how, day: to }, replace: true });
  const step = (by: number) => go(view === "week" ? dayAfter(day, 7 * by) : monthAfter(day, by));
  const toToday = () => go(calendar.data?.today ?? browserToday());
  useKeys({
    t: toToday,
    m: () => go(day, "month"),
    w: () => go(day, "week"),
    n: () => document.querySelector<HTMLElement>(".quick-add input")?.focus(),
  });
  return (
    <WorkFrame title={t("work.nav.calendar")} isCalendar>
      <div className="work-tools">
        <div className="buttons">
          <Button aria-label={t(`work.calendar.previous.${view}`)} onPress={() => step(-1)}>
            ‹
          </Button>
          <Button onPress={toToday}>{t("work.calendar.today")}</Button>
          <Button aria-label={t(`work.calendar.next.${view}`)} onPress={() => step(1)}>
            ›
          </Button>
        </div>
        <h2 className="calendar-title" aria-live="polite">
          {monthText(day, i18n.language)}
        </h2>
        <div className="buttons">
          {(["month", "week"] as const).map((each) => (
            <Button
              key={each}
              aria-pressed={view === each}
              className={view === each ? "chosen" : ""}
              onPress={() => go(day, each)}
            >
              {t(`work.calendar.${each}`)}
            </Button>
          ))}
        </div>
        <MoreTools>
          <ExportButton label={t("work.exportCalendar")} request={{ what: "events" }} />
          <ImportButton
            label={t("work.importCalendar")}
            accept=".ics,text/calendar"
            requestOf={(bytes) => ({ what: "events", bytes })}
          />
        </MoreTools>
      </div>
      {calendar.isError && <Failed error={calendar.error} onRetry={() => void calendar.refetch()} />}
      {calendar.isPending && <Loading />}
      {calendar.data !== undefined && (
        <div className="calendar">
          <DayGrid
            {...{ weeks, view, day }}
            names={someWeek(start)}
            days={calendar.data.days}
            today={calendar.data.today}
            label={monthText(day, i18n.language)}
            onDay={go}
          />
          <PartlyKnown series={calendar.data.partlyKnown} />
          <p className="hint">{t("work.calendar.zone", { zone: calendar.data.zone })}</p>
          <DayPanel key={day} day={day} />
        </div>
      )}
    </WorkFrame>
  );
}
