import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { line } from "../../app/shown-text.ts";
import type { Draft } from "./draft.ts";

interface ChangedProps {
  readonly now: Draft;
  readonly onTake: () => void;
  readonly onKeep: () => void;
}

/** Somebody else has changed what is being changed here: nothing is overwritten until the person says whose it is to be. */
export function ChangedElsewhere({ now, onTake, onKeep }: ChangedProps) {
  const { t } = useTranslation();
  return (
    <div className="trouble" role="alert">
      <p>{t("changed.title")}</p>
      <p>
        <bdi>{line(now.name)}</bdi>: <bdi>{line(now.purpose)}</bdi>
      </p>
      <div className="buttons">
        <Button onPress={onTake}>{t("changed.take")}</Button>
        <Button onPress={onKeep}>{t("changed.keep")}</Button>
      </div>
    </div>
  );
}
