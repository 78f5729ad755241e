import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { lines } from "../../app/shown-text.ts";
import type { Draft } from "./fields.ts";

interface ConflictProps {
  /** What both have changed. */
  readonly fields: readonly string[];
  readonly now: Draft;
  readonly onTake: () => void;
  readonly onKeep: () => void;
}

/** As much of a text as is looked at to choose. */
const shownLength = 2_000;

/** Somebody else has changed what is being changed here: how it is now, and whose it is to be. */
export function Conflict({ fields, now, onTake, onKeep }: ConflictProps) {
  const { t } = useTranslation();
  return (
    <div className="trouble" role="alert">
      <p>{t("changed.title")}</p>
      <dl>
        {fields.map((name) => (
          <div key={name}>
            <dt>{t(`work.field.${name}`)}</dt>
            <dd className="work-text" dir="auto">
              {lines((now[name] ?? "").slice(0, shownLength)) || "–"}
            </dd>
          </div>
        ))}
      </dl>
      <div className="buttons">
        <Button onPress={onTake}>{t("changed.take")}</Button>
        <Button onPress={onKeep}>{t("changed.keep")}</Button>
      </div>
    </div>
  );
}
