import { useTranslation } from "react-i18next";
import type { Dismissed } from "../app/api.ts";
import { line } from "../app/shown-text.ts";

/** What a dismissed item is called, where its source could be read. */
export function useSubject(): (item: Dismissed) => string {
  const { t } = useTranslation();
  return ({ atSource }) =>
    atSource !== undefined && "subject" in atSource
      ? line(atSource.subject) || t("card.noSubject")
      : t("dismissed.unread");
}
