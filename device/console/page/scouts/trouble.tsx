import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ToldTrouble } from "../../told.ts";
import { Said } from "../app/said.tsx";
import { dateText } from "../app/shown-text.ts";

/** What keeps a scout from its source, or from a part of it, since when, and what mends it. */
export function TroubleNote({
  trouble,
}: {
  readonly trouble: Pick<ToldTrouble, "isOff" | "since" | "why" | "movedSource">;
}) {
  const { t, i18n } = useTranslation();
  const { isOff, since, why, movedSource } = trouble;
  const stood = (): string => {
    const at = since === null ? "" : dateText(since, i18n.language);
    if (isOff) return at === "" ? t("trouble.off") : t("trouble.offSince", { at });
    if (why.code === "source_folder_unknown") return at === "" ? t("trouble.part") : t("trouble.partSince", { at });
    return at === "" ? t("trouble.failing") : t("trouble.failingSince", { at });
  };
  return (
    <p className="trouble">
      {stood()} <Said what={why} />
      {movedSource !== null && (
        <>
          {" "}
          {t("trouble.moved")}{" "}
          <Link to="/scouts/add" search={{ source: movedSource }}>
            {t("trouble.addThere")}
          </Link>
        </>
      )}
    </p>
  );
}
