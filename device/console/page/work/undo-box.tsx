import { useTranslation } from "react-i18next";
import { useKeys } from "../app/keys.ts";
import { Said } from "../app/said.tsx";
import { line } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";
import { noteDone, useLastChange } from "./last-change.ts";
import { useUndo } from "./queries.ts";

/** What was just done, and the way back. */
export function UndoBox() {
  const { t } = useTranslation();
  const last = useLastChange();
  const undo = useUndo([t("done.undo"), last?.title ?? ""], () => noteDone(undefined));
  const takeBack = () => last !== undefined && !undo.isPending && undo.mutate(last);
  useKeys({ u: takeBack });
  const close = () => {
    undo.reset();
    noteDone(undefined);
  };
  return (
    <div role="status" className="undo">
      {last !== undefined && (
        <div className="undo-box">
          <p>
            {t(`work.did.${last.what}`)} <bdi>{line(last.title)}</bdi>{" "}
            {undo.error !== null && undo.variables === last && <Said what={undo.error} />}
          </p>
          <Button isDisabled={undo.isPending} onPress={takeBack}>
            {t("done.undo")}
          </Button>
          <Button onPress={close}>{t("done.close")}</Button>
        </div>
      )}
    </div>
  );
}
