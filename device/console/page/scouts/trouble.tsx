import { useTranslation } from "react-i18next";
import type { ToldTrouble } from "../../told.ts";
import { Said } from "../app/said.tsx";
import { dateText } from "../app/shown-text.ts";

/** What keeps a scout from its source, since when, and what mends it. */
export function TroubleNote({ trouble }: { readonly trouble: Pick<ToldTrouble, "since" | "why"> }) {
  const { t, i18n } = useTranslation();
  const { since, why } = trouble;
  return (
    <p className="trouble">
      {since === null ? t("trouble.off") : t("trouble.offSince", { at: dateText(since, i18n.language) })}{" "}
      <Said what={why} />
    </p>
  );
}
