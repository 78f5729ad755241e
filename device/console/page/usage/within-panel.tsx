import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { line } from "../app/shown-text.ts";
import { costText, tokensText } from "./numbers.ts";
import type { Price, ToldUsage } from "./queries.ts";

/** Rows that are shown; who has more scouts sees what takes most. */
const shownRows = 100;

/** What each scout and project took this month, most first. */
export function WithinPanel({ told: { within }, price }: { readonly told: ToldUsage; readonly price: Price | null }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  return (
    <section className="panel" aria-labelledby="within">
      <h2 id="within">{t("usage.within")}</h2>
      {within.length === 0 ? (
        <p className="hint">{t("usage.nothing")}</p>
      ) : (
        <div className="usage-table">
          <table>
            <thead>
              <tr>
                <th scope="col">{t("usage.name")}</th>
                <th scope="col">{t("usage.for")}</th>
                <th scope="col">{t("usage.tokens")}</th>
                {price !== null && <th scope="col">{t("usage.cost")}</th>}
              </tr>
            </thead>
            <tbody>
              {within.slice(0, shownRows).map(({ feature, id, name, tokens, cost }) => (
                <tr key={`${feature} ${id}`}>
                  <th scope="row">
                    <Name id={id} name={name} />
                  </th>
                  <td data-label={t("usage.for")}>{t(`usage.feature.${feature}`)}</td>
                  <td data-label={t("usage.tokens")}>{tokensText(tokens, language)}</td>
                  {price !== null && cost !== null && (
                    <td data-label={t("usage.cost")}>{costText(cost, price.currency, language)}</td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const agents = ["home", "brief", "task_brief", "categorize"] as const;

/** Leads to the scout, or the folder's; an agent is called by what it does, and what was removed since has its id left. */
function Name({ id, name }: { readonly id: string; readonly name: string | null }) {
  const { t } = useTranslation();
  const agent = agents.find((each) => each === id);
  if (agent !== undefined) return t(`usage.agent.${agent}`);
  if (name === null) return <code>{id}</code>;
  const text = <bdi>{line(name) || id}</bdi>;
  return id.startsWith("prj_") ? (
    <Link to="/projects/$id" params={{ id }}>
      {text}
    </Link>
  ) : (
    <Link to="/scouts/$id" params={{ id }}>
      {text}
    </Link>
  );
}
