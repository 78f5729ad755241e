import { useTranslation } from "react-i18next";
import type { Finding } from "../../../doctor/findings.ts";
import { useFindings } from "../settings/use-findings.ts";

/** What a look of the doctor's found on the home's machine, and what to do. */
export function FoundTrouble({ finding, atMs }: { readonly finding: Finding; readonly atMs: number }) {
  const { t } = useTranslation();
  const { detail, advice, lang } = useFindings(atMs)(finding);
  return (
    <>
      {t("checkName.mail")}: <bdi lang={lang}>{`${detail}. ${advice ?? ""}`}</bdi>{" "}
    </>
  );
}
