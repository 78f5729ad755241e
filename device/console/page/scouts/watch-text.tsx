import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { dateText } from "../app/shown-text.ts";
import type { Health } from "./queries.ts";

interface WatchProps {
  readonly watch: Health["health"]["watch"];
  readonly pollEveryMs: number;
  /** The sentence of a code. */
  readonly said: (code: string | null) => ReactNode;
}

/** Whether news is announced, and if not, why, and how it is found meanwhile. */
export function WatchText({ watch, pollEveryMs, said }: WatchProps) {
  const { t, i18n } = useTranslation();
  const { state, expiresAt, failureCode } = watch;
  const minutes = Math.max(1, Math.round(pollEveryMs / 60_000));
  return (
    <span>
      {state === "active"
        ? expiresAt === null
          ? t("health.pushOn")
          : t("health.pushUntil", { at: dateText(expiresAt, i18n.language) })
        : t("health.polling", { count: minutes })}
      {said(failureCode)}
    </span>
  );
}
