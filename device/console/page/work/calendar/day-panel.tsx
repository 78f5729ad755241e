import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../../app/api.ts";
import { line } from "../../app/shown-text.ts";
import { Button } from "../../form/button.tsx";
import { Problem, problemAt } from "../../form/problem.tsx";
import { TextBox } from "../../form/text-box.tsx";
import { useTypedText } from "../../form/use-typed.ts";
import { Missing } from "../../states/missing.tsx";
import { Failed } from "../../states/states.tsx";
import { usePaged } from "../paged.ts";
import { useAdd } from "../queries.ts";
import { Rows } from "../rows.tsx";
import { dayText, rangeText } from "../times.ts";

/** All that takes place on a day, and where something new is put on it. */
export function DayPanel({ day }: { readonly day: string }) {
  const { t, i18n } = useTranslation();
  const list = usePaged(["day", day], (from) => answerOf(api.work.calendar.day.$post({ json: { day, from } })));
  return (
    <section className="day-panel" aria-labelledby="day-title">
      <h2 id="day-title" tabIndex={-1}>
        {dayText(day, i18n.language)}
      </h2>
      <NewEvent day={day} />
      {list.error !== null && <Failed error={list.error} onRetry={list.retry} />}
      <Missing of={list.older} />
      {list.total === 0 && <p className="hint">{t("work.calendar.free")}</p>}
      {list.total !== undefined && list.total > 0 && (
        <Rows
          label={dayText(day, i18n.language)}
          list={list}
          row={({ id, title, place, status, isSeries, ...times }) => (
            <div className="work-card">
              <p>
                <Link
                  to="/work/$kind/$id"
                  params={{ kind: "events", id }}
                  className={status === "cancelled" ? "is-done" : ""}
                >
                  <bdi>{line(title)}</bdi>
                </Link>
              </p>
              <p className="about">
                <span>
                  {times.isAllDay && times.first === times.last
                    ? t("work.calendar.allDay")
                    : rangeText(times, i18n.language)}
                </span>
                {place !== "" && <bdi>{line(place)}</bdi>}
                {isSeries && <span>{t("work.repeats")}</span>}
                {status !== "confirmed" && <span>{t(`work.eventStatus.${status}`)}</span>}
              </p>
            </div>
          )}
        />
      )}
    </section>
  );
}

/** An event in two fields: what, and from when. */
function NewEvent({ day }: { readonly day: string }) {
  const { t, i18n } = useTranslation();
  const title = useTypedText("new event");
  const start = useTypedText(`new event, start ${day}`, day);
  const [addedOn, setAddedOn] = useState<string>();
  const add = useAdd("event", ({ entity }, said) => {
    title.sent(String(said["title"]));
    start.sent(String(said["start"]));
    setAddedOn("start" in entity ? entity.start.slice(0, day.length) : undefined);
  });
  return (
    <Form
      className="quick-add"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ title: title.value, start: start.value });
      }}
    >
      <TextBox
        label={t("work.newEvent")}
        value={title.value}
        problem={problemAt(add.error, "title")}
        onChange={title.type}
      />
      <TextBox
        label={t("work.field.start")}
        hint={t("work.fieldHint.start")}
        value={start.value}
        problem={problemAt(add.error, "start")}
        onChange={start.type}
      />
      <Button type="submit" className="primary" isDisabled={title.value.trim() === "" || add.isPending}>
        {t("work.add")}
      </Button>
      <p role="status">
        {addedOn !== undefined && addedOn !== day && (
          <>
            {t("work.calendar.elsewhere")}{" "}
            <Link to="/work/calendar" search={(search) => ({ ...search, day: addedOn })}>
              {dayText(addedOn, i18n.language)}
            </Link>
          </>
        )}
      </p>
      <Problem error={add.error} fields={["title", "start"]} />
    </Form>
  );
}
