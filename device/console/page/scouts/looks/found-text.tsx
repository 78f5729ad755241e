import { useTranslation } from "react-i18next";
import { Said } from "../../app/said.tsx";
import type { Run } from "../queries.ts";

/** What a look found, and how it ended where that is not as usual. */
export function FoundText({ run }: { readonly run: Run }) {
  const { t, i18n } = useTranslation();
  const { found, outcome, code } = run;
  const counts =
    found.of === "items"
      ? [t("sees.items", { count: found.items })]
      : [
          ...(found.added === 0 ? [] : [t("found.added", { count: found.added })]),
          ...(found.changed === 0 ? [] : [t("found.changed", { count: found.changed })]),
          ...(found.renamed === 0 ? [] : [t("found.renamed", { count: found.renamed })]),
          ...(found.removed === 0 ? [] : [t("found.removed", { count: found.removed })]),
        ];
  const list = new Intl.ListFormat(i18n.language, { type: "unit" }).format(counts);
  // What is not over, or was cut short, may yet find something.
  const text = counts.length === 0 && outcome === "completed" ? t("found.nothing") : list;
  return (
    <>
      {text !== "" && <span>{text}</span>}
      {outcome !== "completed" && <span className="hint">{t(`outcome.${outcome}`)}</span>}
      {code !== null && (
        <span className="hint">
          <Said what={code} />
        </span>
      )}
    </>
  );
}
