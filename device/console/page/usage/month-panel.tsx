import { useTranslation } from "react-i18next";
import { MonthChart } from "./month-chart.tsx";
import { costText, monthText, tokensText } from "./numbers.ts";
import { features, Legend } from "./patterns.tsx";
import type { Price, ToldUsage } from "./queries.ts";

/** Tokens by month: drawn, and in numbers. */
export function MonthPanel({ told, price }: { readonly told: ToldUsage; readonly price: Price | null }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  return (
    <section className="panel" aria-labelledby="months">
      <h2 id="months">{t("usage.months")}</h2>
      <MonthChart months={told.months} />
      <Legend />
      <div className="usage-table">
        <table>
          <thead>
            <tr>
              <th scope="col">{t("usage.month")}</th>
              {features.map((feature) => (
                <th key={feature} scope="col">
                  {t(`usage.feature.${feature}`)}
                </th>
              ))}
              <th scope="col">{t("usage.total")}</th>
              {price !== null && <th scope="col">{t("usage.cost")}</th>}
            </tr>
          </thead>
          <tbody>
            {told.months.toReversed().map(({ month, features: parts, damaged, total, cost }) => (
              <tr key={month}>
                <th scope="row">{monthText(month, language, "long")}</th>
                {features.map((feature) => (
                  <td key={feature} data-label={t(`usage.feature.${feature}`)}>
                    {damaged.includes(feature)
                      ? "?"
                      : tokensText(parts.find((each) => each.feature === feature)?.used ?? 0, language)}
                  </td>
                ))}
                <td data-label={t("usage.total")}>{tokensText(total, language)}</td>
                {price !== null && cost !== null && (
                  <td data-label={t("usage.cost")}>{costText(cost, price.currency, language)}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
