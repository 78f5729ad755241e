import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { Said } from "../app/said.tsx";
import { dateText, line } from "../app/shown-text.ts";
import { FoundText } from "../scouts/looks/found-text.tsx";
import { type Run, useScans } from "../scouts/queries.ts";
import { Failed, Loading } from "../states/states.tsx";

/** When a folder was read, and what was done, file by file. */
export function ScansPanel({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const scans = useScans(id);
  if (scans.isPending) return <Loading />;
  if (scans.isError) return <Failed error={scans.error} onRetry={() => void scans.refetch()} />;
  return (
    <section className="panel" aria-labelledby="runs">
      <h2 id="runs">{t("runs.title")}</h2>
      {scans.data.runs.length === 0 && <p className="hint">{t("runs.emptyFolder")}</p>}
      <ul className="runs">
        {scans.data.runs.map((run) => (
          <Scan key={run.id} run={run} />
        ))}
      </ul>
    </section>
  );
}

function Scan({ run }: { readonly run: Run }) {
  const { t, i18n } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const at = dateText(run.at, i18n.language);
  return (
    <li>
      <time dateTime={new Date(run.at).toISOString()}>{at}</time>
      <FoundText run={run} />
      <Button aria-expanded={isOpen} aria-label={t("runs.actionsOf", { at })} onPress={() => setOpen(!isOpen)}>
        {t("runs.actions")}
      </Button>
      {isOpen && <Actions id={run.id} />}
    </li>
  );
}

function Actions({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const actions = useQuery({
    queryKey: ["actions", id],
    queryFn: () => answerOf(api.scans[":id"].actions.$get({ param: { id } })),
  });
  if (actions.isPending) return <Loading />;
  if (actions.isError) return <Failed error={actions.error} onRetry={() => void actions.refetch()} />;
  const { actions: shown, total } = actions.data;
  if (total === 0) return <p className="hint">{t("runs.noActions")}</p>;
  return (
    <div className="run-actions">
      {total > shown.length && <p className="hint">{t("runs.first", { count: shown.length, total })}</p>}
      <ul className="plain">
        {shown.map(({ action, relativePath, code }) => (
          <li key={`${action} ${relativePath}`}>
            <span className="hint">{t(`action.${action}`)}</span> <bdi>{line(relativePath)}</bdi>
            {code !== null && (
              <span className="hint">
                {" "}
                (<Said what={code} />)
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
