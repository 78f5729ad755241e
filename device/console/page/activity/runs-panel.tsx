import { Link } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Said } from "../app/said.tsx";
import { dateText, line } from "../app/shown-text.ts";
import { Confirm } from "../form/confirm.tsx";
import { Problem } from "../form/problem.tsx";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { chargeText } from "../usage/charge-text.ts";
import { callerText } from "./call-text.ts";
import { type Run, undoSession, useDoing, useRuns, useTrails } from "./queries.ts";

interface RunsProps {
  readonly onSession: (session: string, trail: string | null) => void;
}

/** What agents and programs did, and the way back from what they changed. */
export function RunsPanel({ onSession }: RunsProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useRuns();
  const trails = useTrails();
  const undo = useDoing([t("activity.undo")], undoSession);
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (data.runs.length === 0) return <Empty title={t("activity.noRuns")} hint={t("activity.noRunsHint")} />;
  const nameOf = (trail: string | null) => trails.data?.trails.find(({ id }) => id === trail)?.name ?? null;
  return (
    <div className="page">
      <div role="status">
        {undo.isSuccess && <p>{t("activity.undone", { files: undo.data.files.map(line).join(", ") })}</p>}
        <Problem error={undo.error} />
      </div>
      <ul className="plain activity-rows">
        {data.runs.map((run) => (
          <li key={`${run.id} ${run.trail}`} className="panel">
            <RunFacts run={run} project={nameOf(run.trail)} />
            <div className="buttons">
              <Button onPress={() => onSession(run.id, run.tokens === null ? run.trail : null)}>
                {t("activity.what")}
              </Button>
              {run.answerId !== null && (
                <Link to="/ask/$id" params={{ id: run.answerId }} className="link-button">
                  {t("activity.answer")}
                </Link>
              )}
              {run.changes > 0 && run.trail !== null && run.trail !== "device" && (
                <Confirm
                  button={t("activity.undo")}
                  title={t("activity.undoTitle")}
                  hint={t("activity.undoHint")}
                  isPending={undo.isPending}
                  onConfirm={() => undo.mutate({ trail: run.trail ?? "", session: run.id })}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function RunFacts({ run, project }: { readonly run: Run; readonly project: string | null }) {
  const { t, i18n } = useTranslation();
  const { caller, begunAt, endedAt, status, why, tokens, charge, calls, changes, failures } = run;
  return (
    <>
      <h2>
        <bdi>{callerText(caller, t)}</bdi>
        {project !== null && (
          <>
            {" · "}
            <bdi>{line(project)}</bdi>
          </>
        )}
      </h2>
      <p className="hint">
        {dateText(begunAt, i18n.language)}
        {tokens !== null && (
          <>
            {" · "}
            {status !== null && t(`activity.status.${status}`)}
            {status === null && endedAt === null && t("activity.unended")}
            {" · "}
            {t("activity.tokens", { count: tokens })}
            {charge !== null && <> · {chargeText(charge, i18n.language)}</>}
          </>
        )}
        {" · "}
        {t("activity.calls", { count: calls })}
        {changes > 0 && <> · {t("activity.changes", { count: changes })}</>}
        {failures > 0 && <> · {t("activity.failures", { count: failures })}</>}
      </p>
      {why !== null && (
        <p className="problem">
          <Said what={why} />
        </p>
      )}
    </>
  );
}
