import { useTranslation } from "react-i18next";
import "../form/form.css";
import "./usage.css";
import { Said } from "../app/said.tsx";
import { dateText } from "../app/shown-text.ts";
import { Failed, Loading } from "../states/states.tsx";
import { ArtifactPanel } from "./artifact-panel.tsx";
import { LimitPanel } from "./limit-panel.tsx";
import { MonthPanel } from "./month-panel.tsx";
import { PricePanel } from "./price-panel.tsx";
import { useUsage } from "./queries.ts";
import { WithinPanel } from "./within-panel.tsx";

/** What was used, by what, and how much is left of it. */
export function UsagePage() {
  const { t, i18n } = useTranslation();
  const usage = useUsage();
  return (
    <section className="page">
      <h1>{t("nav.usage")}</h1>
      {usage.isPending && <Loading />}
      {usage.isError && <Failed error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data !== undefined && (
        <>
          {usage.data.trouble !== null && (
            <div className="trouble" role="alert">
              <p>
                <Said what={usage.data.trouble} />
              </p>
              <p>
                {usage.data.told === null
                  ? t("usage.nothingKnown")
                  : t("usage.asOf", { at: dateText(usage.data.told.atMs, i18n.language) })}
              </p>
            </div>
          )}
          {usage.data.told !== null && (
            <>
              <MonthPanel told={usage.data.told} price={usage.data.price} />
              <LimitPanel told={usage.data.told} />
              <WithinPanel told={usage.data.told} price={usage.data.price} />
            </>
          )}
          <PricePanel key={JSON.stringify(usage.data.price)} price={usage.data.price} />
        </>
      )}
      <ArtifactPanel />
    </section>
  );
}
