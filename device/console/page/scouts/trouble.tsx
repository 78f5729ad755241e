import { useTranslation } from "react-i18next";
import type { ToldTrouble } from "../../told.ts";
import { Said } from "../app/said.tsx";
import { dateText } from "../app/shown-text.ts";

/** What keeps a scout from its source, since when, and what mends it. */
export function TroubleNote({ trouble }: { readonly trouble: Pick<ToldTrouble, "isOff" | "since" | "why"> }) {
  const { t, i18n } = useTranslation();
  const { isOff, since, why } = trouble;
  const at = since === null ? "" : dateText(since, i18n.language);
  return (
    <p className="trouble">
      {isOff
        ? since === null
          ? t("trouble.off")
          : t("trouble.offSince", { at })
        : since === null
          ? t("trouble.failing")
          : t("trouble.failingSince", { at })}{" "}
      <Said what={why} />
    </p>
  );
}
