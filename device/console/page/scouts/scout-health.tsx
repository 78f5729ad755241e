import { useTranslation } from "react-i18next";
import { Said } from "../app/said.tsx";
import { dateText } from "../app/shown-text.ts";
import { Pairs } from "../form/pairs.tsx";
import { Missing } from "../states/missing.tsx";
import { Failed, Loading } from "../states/states.tsx";
import { SeesText } from "./looks/sees-text.tsx";
import { WatchText } from "./looks/watch-text.tsx";
import { type Scout, useHealth, useSight } from "./queries.ts";

/** How a scout fares: what it sees, when it last looked, how news is found, what waits, what was missed. */
export function ScoutHealth({ scout }: { readonly scout: Scout }) {
  const { t, i18n } = useTranslation();
  const health = useHealth(scout.id);
  const sight = useSight(scout.id);
  const time = (at: number | null) => (at === null ? t("health.never") : dateText(at, i18n.language));
  if (health.isPending) return <Loading />;
  if (health.isError) return <Failed error={health.error} onRetry={() => void health.refetch()} />;
  const { backlog, failures, gap, waiting, lastRunAt, nextRunAt, watch, pollEveryMs, tokens, damaged } =
    health.data.health;
  const { sentences, whyFailed } = health.data;
  const isModelKnown = waiting === null && damaged?.includes("model") !== true;
  const areTokensKnown = damaged?.some((what) => what !== "model") !== true;
  const said = (code: string | null) => {
    if (code === null) return null;
    const message = Object.entries(sentences).find(([each]) => each === code)?.[1] ?? code;
    return (
      <>
        {" "}
        <Said what={{ code, message }} />
      </>
    );
  };
  return (
    <section className="panel" aria-labelledby="health">
      <h2 id="health">{t("health.title")}</h2>
      <Pairs
        pairs={[
          [t("health.sees"), <Sees key="sees" sight={sight} />],
          [t("health.lastRun"), time(lastRunAt)],
          [t("health.nextRun"), time(nextRunAt)],
          [t("health.watch"), <WatchText key="watch" watch={watch} pollEveryMs={pollEveryMs} said={said} />],
          [
            t("health.backlog"),
            <span key="backlog">
              {t("health.waiting", { count: backlog.waiting })}, {t("health.dead", { count: backlog.dead })}
              {Object.keys(backlog.byCode).map((code) => (
                <span key={code}>{said(code)}</span>
              ))}
            </span>,
          ],
          [t("health.model"), isModelKnown ? t("health.modelAnswers") : said(waiting?.code ?? "row_damaged")],
          [
            t("health.failures"),
            failures.count === 0 ? (
              t("health.none")
            ) : (
              <span key="failures">
                {t("health.inARow", { count: failures.count })}
                {whyFailed !== null && (
                  <>
                    {" "}
                    <Said what={whyFailed} />
                  </>
                )}
              </span>
            ),
          ],
          [
            t("health.gap"),
            gap === null
              ? t("health.noGap")
              : t(gap.missed ? "health.gapMissed" : "health.gapText", { from: time(gap.from), to: time(gap.to) }),
          ],
          [
            t("health.tokens"),
            areTokensKnown ? (
              new Intl.NumberFormat(i18n.language).format(tokens.scout)
            ) : (
              <span key="tokens">{said("row_damaged")}</span>
            ),
          ],
        ]}
      />
    </section>
  );
}

/** What it sees now, or why nothing. */
function Sees({ sight }: { readonly sight: ReturnType<typeof useSight> }) {
  const { t } = useTranslation();
  if (sight.isPending) return t("state.loading");
  if (sight.isError) return <Missing of={[sight]} />;
  const { sees, error } = sight.data;
  if (error !== null) return <Said what={error} />;
  return sees === null ? t("health.nothing") : <SeesText sees={sees} />;
}
