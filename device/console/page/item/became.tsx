import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ApiError, type Proposal } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import { becameOf } from "../decide/state-of.ts";
import { paths } from "../work/kinds.ts";
import { useOne } from "../work/queries.ts";

/** What an item has become, and the way there. */
export function Became({ proposal }: { readonly proposal: Proposal }) {
  const became = becameOf(proposal);
  return became === undefined ? null : <Way from={proposal.id} {...became} />;
}

interface WayProps extends NonNullable<ReturnType<typeof becameOf>> {
  readonly from: string;
}

function Way({ from, kind, id }: WayProps) {
  const { t } = useTranslation();
  const { data, error } = useOne(kind, id);
  const isGone = error instanceof ApiError && error.status === 404;
  if (data === undefined && !isGone) return null;
  const title = data !== undefined && "title" in data.entity ? line(data.entity.title) : "";
  const isMade = data === undefined || data.source?.id === from;
  return (
    <p>
      {t(isMade ? `became.${kind}` : "became.merged")}:{" "}
      <Link to="/work/$kind/$id" params={{ kind: paths[kind], id }}>
        {isGone ? t("became.gone") : <bdi>{title}</bdi>}
      </Link>
    </p>
  );
}
