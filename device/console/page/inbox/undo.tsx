import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Said } from "../app/said.tsx";
import { line } from "../app/shown-text.ts";
import { useDecisions, useLastDecisions } from "./decisions.ts";

/** What was just done, and the way back; or why it could not be done. */
export function Undo() {
  const { t } = useTranslation();
  const { undo, dismiss } = useDecisions();
  const last = useLastDecisions().at(-1);
  const count = last?.ids.length ?? 0;
  return (
    <div role="status" className="undo">
      {last !== undefined && (
        <div className="undo-box">
          <p>
            {t(last.error === undefined ? `done.${last.what}` : "done.failed")}{" "}
            {last.subject === null ? (
              t("done.several", { count })
            ) : (
              <bdi>{line(last.subject) || t("card.noSubject")}</bdi>
            )}
            {last.error !== undefined && (
              <>
                {" "}
                <Said what={last.error} />
              </>
            )}
          </p>
          {last.error === undefined && last.undo !== undefined ? (
            <Button onPress={() => void undo()}>{t("done.undo")}</Button>
          ) : (
            <Button onPress={() => dismiss(last)}>{t("done.close")}</Button>
          )}
        </div>
      )}
    </div>
  );
}
