import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { dateText } from "../../app/shown-text.ts";
import type { Health } from "../queries.ts";
import { polling } from "./polling.ts";

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
  return (
    <span>
      {state === "active"
        ? expiresAt === null
          ? t("health.pushOn")
          : t("health.pushUntil", { at: dateText(expiresAt, i18n.language) })
        : t(...polling(pollEveryMs))}
      {said(failureCode)}
    </span>
  );
}
