import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import "../form/form.css";
import "../inbox/inbox.css";
import "../scouts/scouts.css";
import "./work.css";
import { UndoBox } from "./undo-box.tsx";

/** What every page of work has: where one can go in it, and what was just done. */
export function WorkFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <section className="work">
      <div className="head">
        <h1>{title}</h1>
        <nav aria-label={t("work.nav.label")}>
          <Link to="/work/tasks">{t("work.nav.tasks")}</Link>
          <Link to="/work/calendar">{t("work.nav.calendar")}</Link>
          <Link to="/work/notes">{t("work.nav.notes")}</Link>
          <Link to="/work/people">{t("work.nav.people")}</Link>
          <Link to="/work/memory">{t("work.nav.memory")}</Link>
        </nav>
      </div>
      {children}
      <UndoBox />
    </section>
  );
}
