import { useTranslation } from "react-i18next";
import { dateText, line } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";
import { Problem } from "../form/problem.tsx";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { callerText, toolText } from "./call-text.ts";
import { DiffText } from "./diff-text.tsx";
import { type Approval, answerApproval, useApprovals, useDoing } from "./queries.ts";

/** What programs ask before they go on. */
export function ApprovalsPanel() {
  const { t, i18n } = useTranslation();
  const { data, error, refetch } = useApprovals();
  const answer = useDoing(
    ({ isApproved }) => [t("nav.activity"), t(isApproved ? "activity.approve" : "activity.refuse")],
    answerApproval,
  );
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <div className="page">
      <div role="status">
        <Problem error={answer.error} />
      </div>
      {data.waiting.length === 0 && <Empty title={t("activity.nothingWaits")} hint={t("activity.nothingWaitsHint")} />}
      {data.waiting.map((approval) => (
        <Waiting
          key={approval.id}
          approval={approval}
          isBusy={answer.isPending}
          onAnswer={(isApproved) => answer.mutate({ id: approval.id, isApproved })}
        />
      ))}
      {data.ended.length > 0 && (
        <section className="panel" aria-labelledby="ended">
          <h2 id="ended">{t("activity.ended")}</h2>
          <ul className="plain activity-rows">
            {data.ended.map((each) => (
              <li key={each.id}>
                <strong>{t(`activity.state.${each.state}`)}</strong> <bdi>{callerText(each.caller, t)}</bdi>{" "}
                {t(`activity.wants.${each.kind}`)} <bdi>{each.paths.map(line).join(", ")}</bdi>
                <span className="hint">
                  {" "}
                  {each.endedAt !== null && dateText(each.endedAt, i18n.language)}
                  {each.endedBy !== null && <> · {t(`activity.by.${each.endedBy}`)}</>}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface WaitingProps {
  readonly approval: Approval;
  readonly isBusy: boolean;
  readonly onAnswer: (isApproved: boolean) => void;
}

function Waiting({ approval, isBusy, onAnswer }: WaitingProps) {
  const { t, i18n } = useTranslation();
  const { id, caller, tool, kind, paths, why, root, project, diff, diffLeftOut, until } = approval;
  const files = paths.map(line).join(", ");
  return (
    <article className="panel" aria-labelledby={id}>
      <h2 id={id}>
        <bdi>{callerText(caller, t)}</bdi> {t(`activity.wants.${kind}`)} <bdi>{files}</bdi>
      </h2>
      <p className="hint">
        {t(`activity.why.${why}`)} <bdi>{line(project ?? root)}</bdi> · <bdi>{toolText(tool, t)}</bdi> ·{" "}
        {t("activity.until", { at: dateText(until, i18n.language) })}
      </p>
      {diff !== null && <DiffText diff={diff} />}
      {diffLeftOut > 0 && <p className="notice">{t("activity.leftOut", { count: diffLeftOut })}</p>}
      <div className="buttons">
        <Button
          className="approve"
          isDisabled={isBusy}
          aria-label={t("activity.approveOne", { files })}
          onPress={() => onAnswer(true)}
        >
          {t("activity.approve")}
        </Button>
        <Button
          className="reject"
          isDisabled={isBusy}
          aria-label={t("activity.refuseOne", { files })}
          onPress={() => onAnswer(false)}
        >
          {t("activity.refuse")}
        </Button>
      </div>
    </article>
  );
}
