import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import "../form/form.css";
import "../inbox/inbox.css";
import "../inbox/card.css";
import "../scouts/scouts.css";
import "./work.css";
import { useKeys } from "../app/keys.ts";
import { KeyHelp } from "../inbox/key-help.tsx";
import { UndoBox } from "./undo-box.tsx";

/** Each key, and its text. */
const keys = [
  ["j", "keys.j"],
  ["k", "keys.k"],
  ["n", "work.keys.new"],
  ["u Ctrl+Z", "work.keys.undo"],
  ["/", "keys.search"],
  ["?", "keys.help"],
] as const;
/** Those of the calendar besides. */
const ofCalendar = [
  ["t", "work.calendar.today"],
  ["m", "work.calendar.month"],
  ["w", "work.calendar.week"],
  ["← →", "work.keys.day"],
  ["↑ ↓", "work.keys.week"],
  ["⇞ ⇟", "work.keys.page"],
] as const;

interface FrameProps {
  readonly title: string;
  readonly isCalendar?: boolean;
  readonly children: ReactNode;
}

/** What every page of work has: where one can go in it, and what was just done. */
export function WorkFrame({ title, isCalendar = false, children }: FrameProps) {
  const { t } = useTranslation();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useKeys({ "?": () => setHelpOpen(true) });
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
        <Button onPress={() => setHelpOpen(true)}>{t("keys.title")}</Button>
      </div>
      {children}
      <UndoBox />
      <KeyHelp keys={isCalendar ? [...keys, ...ofCalendar] : keys} isOpen={isHelpOpen} onChange={setHelpOpen} />
    </section>
  );
}

/** Tools of a page of work that are needed less often: in a small window they are behind a button (work.css). @param isUsed one of them is in use */
export function MoreTools({ isUsed = false, children }: { readonly isUsed?: boolean; readonly children: ReactNode }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(isUsed);
  const id = useId();
  return (
    <div className={isOpen ? "more-tools is-open" : "more-tools"}>
      <Button className="more-button" aria-expanded={isOpen} aria-controls={id} onPress={() => setOpen(!isOpen)}>
        {t(isOpen ? "work.fewerTools" : "work.moreTools")}
      </Button>
      <div id={id} className="work-tools">
        {children}
      </div>
    </div>
  );
}
