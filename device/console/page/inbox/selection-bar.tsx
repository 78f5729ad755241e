import type { Ref } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Question } from "../decide/deciding.tsx";
import type { Outcome } from "./decisions.ts";

interface BarProps {
  readonly ref: Ref<HTMLElement>;
  readonly count: number;
  /** More of them than can be chosen at once. */
  readonly leftOut: number;
  readonly onDecide: (outcome: Outcome) => void;
  readonly onAsk: (question: Question) => void;
  /** Where they are snoozed. */
  readonly onWake: (() => void) | undefined;
  readonly onClear: () => void;
}

/** What can be done with those that are chosen together. */
export function SelectionBar({ ref, count, leftOut, onDecide, onAsk, onWake, onClear }: BarProps) {
  const { t } = useTranslation();
  return (
    <section ref={ref} className="selection" aria-label={t("inbox.chosenLabel")}>
      <span role="status">
        {t("inbox.chosen", { count })}
        {leftOut > 0 && <> {t("inbox.leftOut", { count: leftOut })}</>}
      </span>
      <Button className="approve" onPress={() => onDecide("approved")}>
        {t("card.approve")}
      </Button>
      <Button className="reject" onPress={() => onDecide("rejected")}>
        {t("card.reject")}
      </Button>
      <Button onPress={() => onAsk("snooze")}>{t("deed.snooze")}</Button>
      {onWake !== undefined && <Button onPress={onWake}>{t("deed.wake")}</Button>}
      <Button onPress={() => onAsk("assign")}>{t("deed.assign")}</Button>
      <Button onPress={() => onAsk("merge")}>{t("deed.merge")}</Button>
      <Button onPress={onClear}>{t("inbox.clear")}</Button>
    </section>
  );
}
