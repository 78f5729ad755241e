import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { answerOf, api, isOfWholePage } from "../app/api.ts";
import { Said } from "../app/said.tsx";
import { line } from "../app/shown-text.ts";
import { tokenOfTab } from "../app/tab.ts";
import { Button } from "../form/button.tsx";
import { closeFailed, type FailedDeed, useFailedDeeds } from "../form/failed-deeds.ts";
import { isGoingOn, type LastDecision, recall, stop, useDecisions, useLastDecisions } from "../inbox/decisions.ts";
import { useUndoKeys } from "./undo-keys.ts";
import { momentText } from "./when-text.ts";

/** What was just done, and the way back; or why it could not be done. */
export function Undo() {
  const held = useQuery({
    queryKey: ["undoable"],
    queryFn: () => answerOf(api.undoable.$get()),
    enabled: tokenOfTab() !== null,
    gcTime: 0,
  });
  const { data } = held;
  useEffect(() => recall(data?.decisions ?? []), [data]);
  const decisions = useLastDecisions();
  const shown = shownOf(decisions);
  // The others are said one by one, as it is closed: together they would cover the page.
  const failed = useFailedDeeds().at(-1);
  const { undo } = useDecisions();
  const place = useRef<HTMLDivElement>(null);
  const back = useUndoKeys(place, decisions.some(canBeUndone) ? () => void undo() : undefined);
  return (
    // What is added is said, and not all that stands there once more.
    <div ref={place} role="status" aria-atomic={false} className="undo">
      {failed !== undefined && <Failed key={failed.called} deed={failed} onLeft={back} />}
      {shown.length === 0 && held.isError && <Unasked error={held.error} onRetry={() => void held.refetch()} />}
      {shown.map((each) => (
        <Box key={`${each.what} ${each.ids[0]}`} last={each} onLeft={back} />
      ))}
    </div>
  );
}

const canBeUndone = ({ error, undo }: LastDecision): boolean => error === undefined && undo !== undefined;

/** The last thing that was done; above it the last that can be taken back, and the last that failed: neither hides the other. */
function shownOf(decisions: readonly LastDecision[]): readonly LastDecision[] {
  const last = decisions.at(-1);
  const back = decisions.findLast(canBeUndone);
  const failed = decisions.findLast(({ error }) => error !== undefined);
  return decisions.filter((each) => each === last || each === back || each === failed);
}

interface BoxProps {
  readonly last: LastDecision;
  /** It goes, with what was pressed in it. */
  readonly onLeft: () => void;
}

function Box({ last, onLeft }: BoxProps) {
  const { t } = useTranslation();
  const { undo, dismiss } = useDecisions();
  return (
    <div className="undo-box">
      <div>
        <What last={last} />
      </div>
      {isGoingOn(last) ? (
        <Button
          isDisabled={last.progress?.isStopped ?? false}
          onPress={() => {
            onLeft();
            stop(last);
          }}
        >
          {t("done.stop")}
        </Button>
      ) : last.error === undefined && last.undo !== undefined ? (
        // Under the second click of a double one lies the way back from what was decided before.
        <button
          type="button"
          aria-keyshortcuts="Control+Z Meta+Z"
          onClick={({ detail }) => {
            if (detail > 1) return;
            onLeft();
            void undo();
          }}
        >
          {t("done.undo")}
        </button>
      ) : (
        <Button
          onPress={() => {
            onLeft();
            dismiss(last);
          }}
        >
          {t("done.close")}
        </Button>
      )}
    </div>
  );
}

/** What else than a decision could not be done, and why. */
function Failed({ deed, onLeft }: { readonly deed: FailedDeed; readonly onLeft: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="undo-box">
      <div>
        <p>
          {t("done.failed")} <bdi>{deed.called}</bdi>
        </p>
        <p>
          <Said what={deed.error} />
        </p>
      </div>
      <Button
        onPress={() => {
          onLeft();
          closeFailed(deed);
        }}
      >
        {t("done.close")}
      </Button>
    </div>
  );
}

/** A way back that is not shown may be there; one who looks for it is to know. That the device is away is said elsewhere. */
function Unasked({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const { t } = useTranslation();
  if (isOfWholePage(error)) return null;
  return (
    <div className="undo-box">
      <div>
        <p>{t("done.unasked")}</p>
        <p>
          <Said what={error} />
        </p>
      </div>
      <Button onPress={onRetry}>{t("state.retry")}</Button>
    </div>
  );
}

/** What was done with which proposals, and in a sentence of its own why not. */
function What({ last }: { readonly last: LastDecision }) {
  const { t, i18n } = useTranslation();
  const { what, ids, subject, untilMs, error, progress } = last;
  if (what === "late") return <TooLate />;
  const when = untilMs === undefined ? "" : momentText(untilMs, i18n.language);
  return (
    <>
      <p>
        {error === undefined ? t(`done.${what}`, { when }) : t("done.failed")}{" "}
        {subject === null ? (
          t("done.several", { count: ids.length })
        ) : (
          <bdi>{line(subject) || t("card.noSubject")}</bdi>
        )}
      </p>
      {progress !== undefined && isGoingOn(last) && <p>{t("done.progress", { ...progress })}</p>}
      {progress?.left !== undefined && progress.left.length > 0 && (
        <p>{t("done.left", { count: progress.left.length })}</p>
      )}
      {error !== undefined && (
        <p>
          <Said what={error} />
        </p>
      )}
    </>
  );
}

/** Nothing was decided in the last seconds: where what was decided before can be taken back. */
function TooLate() {
  const { t } = useTranslation();
  return (
    <>
      <p>{t("done.late")}</p>
      <p className="undo-ways">
        <Link to="/inbox" search={{ status: "approved" }}>
          {t("filter.approved")}
        </Link>{" "}
        <Link to="/inbox" search={{ status: "rejected" }}>
          {t("filter.rejected")}
        </Link>
      </p>
    </>
  );
}
