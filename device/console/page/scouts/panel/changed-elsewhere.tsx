import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { line } from "../../app/shown-text.ts";
import { Pairs } from "../../form/pairs.tsx";
import { type Draft, type DraftField, otherFields } from "./draft.ts";

interface ChangedProps {
  readonly now: Draft;
  /** What is typed here. */
  readonly typed: Draft;
  readonly onTake: () => void;
  readonly onKeep: () => void;
}

/** Somebody else has changed what is being changed here: nothing is overwritten until the person says whose it is to be. */
export function ChangedElsewhere({ now, typed, onTake, onKeep }: ChangedProps) {
  const { t } = useTranslation();
  const shownOf = (field: DraftField) => {
    if (field === "autoTrash") return t(now.autoTrash ? "changed.on" : "changed.off");
    if (field === "schedule" && now.schedule === "") return t("changed.often");
    return <bdi>{line(now[field])}</bdi>;
  };
  return (
    <div className="trouble" role="alert">
      <p>{t("changed.title")}</p>
      <Pairs pairs={otherFields(now, typed).map((field) => [t(`panel.${field}`), shownOf(field)] as const)} />
      <div className="buttons">
        <Button onPress={onTake}>{t("changed.take")}</Button>
        <Button onPress={onKeep}>{t("changed.keep")}</Button>
      </div>
    </div>
  );
}
