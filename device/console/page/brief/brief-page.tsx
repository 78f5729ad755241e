import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import "../form/form.css";
import "../inbox/card.css";
import "./brief.css";
import { answerOf, api } from "../app/api.ts";
import { useKeys } from "../app/keys.ts";
import { useDecisions } from "../inbox/decisions.ts";
import { KeyHelp, ofInbox } from "../inbox/key-help.tsx";
import { lookAtList } from "../inbox/list-left.ts";
import { useGo } from "../routes/go.ts";
import { Missing } from "../states/missing.tsx";
import { Failed, Loading } from "../states/states.tsx";
import { Broken } from "./broken.tsx";
import { ProjectNews } from "./project-news.tsx";
import { Waiting } from "./waiting.tsx";
import { Week } from "./week.tsx";

/** As in the inbox; here nothing is chosen with others. */
const keys = ofInbox.filter(([key]) => key !== "x");

/** What waits, what the week brings, what has changed in projects, and what is broken. */
export function BriefPage() {
  const { t } = useTranslation();
  const go = useGo();
  const { undo } = useDecisions();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const brief = useQuery({ queryKey: ["brief"], queryFn: () => answerOf(api.brief.$get()) });
  useEffect(() => lookAtList({ to: "/" }), []);
  useKeys({
    u: () => void undo(),
    "/": () => void go({ to: "/search" }),
    "?": () => setHelpOpen(true),
  });
  return (
    <section className="page brief">
      <h1>{t("nav.brief")}</h1>
      <Broken />
      {brief.isPending && <Loading />}
      {brief.isError && brief.data === undefined && <Failed error={brief.error} onRetry={() => void brief.refetch()} />}
      {brief.data !== undefined && (
        <>
          <Missing of={[brief]} />
          <Waiting brief={brief.data} />
          <Week week={brief.data.week} namingDays={brief.data.namingDays} today={brief.data.today} />
          <ProjectNews projects={brief.data.projects} />
        </>
      )}
      <KeyHelp keys={keys} isOpen={isHelpOpen} onChange={setHelpOpen} />
    </section>
  );
}
