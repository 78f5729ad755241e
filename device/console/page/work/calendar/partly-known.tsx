import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { line } from "../../app/shown-text.ts";

interface Props {
  readonly series: {
    readonly shown: readonly { readonly id: string; readonly title: string }[];
    readonly more: number;
  };
}

/** Series that may take place on other days than those that are shown; each says why on its own page. */
export function PartlyKnown({ series: { shown, more } }: Props) {
  const { t } = useTranslation();
  if (shown.length === 0) return null;
  return (
    <p className="trouble">
      {t("series.partly")}{" "}
      {shown.map(({ id, title }, at) => (
        <Fragment key={id}>
          {at > 0 && ", "}
          <Link to="/work/$kind/$id" params={{ kind: "events", id }}>
            <bdi>{line(title)}</bdi>
          </Link>
        </Fragment>
      ))}
      {more > 0 && ` ${t("series.more", { count: more })}`}
    </p>
  );
}
