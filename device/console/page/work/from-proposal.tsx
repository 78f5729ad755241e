import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { line } from "../app/shown-text.ts";

/** The way to the proposal something came from. */
export function FromProposal({ id, subject }: { readonly id: string | null; readonly subject?: string | null }) {
  const { t } = useTranslation();
  if (id === null) return null;
  return (
    <Link to="/items/$id" params={{ id }} className="work-from">
      {t("work.fromProposal")}
      {subject ? <bdi>: {line(subject)}</bdi> : ""}
    </Link>
  );
}
