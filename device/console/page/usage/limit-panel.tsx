import { useTranslation } from "react-i18next";
import { Said } from "../app/said.tsx";
import { dateText } from "../app/shown-text.ts";
import { shareText, tokensText } from "./numbers.ts";
import type { ToldUsage } from "./queries.ts";

/** From here on somebody should know. */
const nearly = 0.9;

/** How much of each limit is used this month, and when it begins anew. */
export function LimitPanel({ told: { tier, resetsAt, limits, missing } }: { readonly told: ToldUsage }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const isPlanKnown = !missing.some(({ what }) => what === "account");
  const usedText = (used: number, limit: number | null): string => {
    const shown = tokensText(used, language);
    if (limit !== null) return t("usage.ofLimit", { used: shown, limit: tokensText(limit, language) });
    return isPlanKnown ? t("usage.unlimited", { used: shown }) : shown;
  };
  return (
    <section className="panel" aria-labelledby="limits">
      <h2 id="limits">{t("usage.limits")}</h2>
      <p>
        {isPlanKnown && t("usage.plan", { tier })} {t("usage.resets", { at: dateText(resetsAt, language) })}
      </p>
      <ul className="plain usage-limits">
        {limits.map(({ feature, used, setAside, limit, share }) => (
          <li key={feature}>
            <p>
              <strong>{t(`usage.feature.${feature}`)}</strong> {usedText(used, limit)}
              {setAside > 0 && <> {t("usage.setAside", { tokens: tokensText(setAside, language) })}</>}
              {share !== null && share >= nearly && <span className="usage-nearly"> {t("usage.nearly")}</span>}
            </p>
            {share !== null && (
              <svg
                className="usage-bar"
                viewBox="0 0 100 6"
                preserveAspectRatio="none"
                role="img"
                aria-label={shareText(share, language)}
              >
                <rect width={100} height={6} className="ink-none" />
                <rect
                  width={Math.min(100, share * 100)}
                  height={6}
                  className={share >= nearly ? "ink-bad" : "ink-full"}
                />
              </svg>
            )}
          </li>
        ))}
        {missing.map(({ what, why }) => (
          <li key={what} className="trouble">
            <strong>{what === "account" ? t("usage.limits") : t(`usage.feature.${what}`)}</strong> <Said what={why} />
          </li>
        ))}
      </ul>
    </section>
  );
}
