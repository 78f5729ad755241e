import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { line } from "../../app/shown-text.ts";
import type { Overview } from "../queries.ts";

/** Documents that say what a project is. */
export function Entries({ id, entries }: { readonly id: string; readonly entries: Overview["entries"] }) {
  const { t } = useTranslation();
  if (entries.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="entries">
      <h2 id="entries">{t("projects.entries")}</h2>
      <ul className="plain entries">
        {entries.map(({ number, path, summary }) => (
          <li key={number}>
            <Link to="/projects/$id/files/$file" params={{ id, file: String(number) }} dir="auto">
              {line(path)}
            </Link>
            {summary !== null && <p dir="auto">{line(summary)}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
