import { getRouteApi, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import "../form/form.css";
import "./scouts.css";
import type { ToldTrouble } from "../../told.ts";
import { ApiError } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { RunsPanel } from "./looks/runs-panel.tsx";
import { CloudScoutConfigPanel } from "./panel/cloud-scout-config-panel.tsx";
import { type Scout, useKinds, useScout } from "./queries.ts";
import { ScoutActions } from "./scout-actions.tsx";
import { ScoutHealth } from "./scout-health.tsx";
import { ScoutMute } from "./scout-mute.tsx";
import { SourceName } from "./source-name.tsx";
import { TroubleNote } from "./trouble.tsx";

const route = getRouteApi("/scouts/$id");

/** One scout: how it fares, what keeps it, what may be changed about it. */
export function ScoutPage() {
  const { t } = useTranslation();
  const { id } = route.useParams();
  const scout = useScout(id);
  // Asked for with the scout: what its form has depends on its kind, and would come late and move what is below.
  useKinds();
  const isGone = scout.error instanceof ApiError && [400, 404].includes(scout.error.status);
  return (
    <section className="page">
      <p>
        <Link to="/scouts">{t("scout.back")}</Link>
      </p>
      {scout.isPending && <Loading />}
      {isGone && <Empty title={t("scout.gone")} hint={t("scout.goneHint")} />}
      {scout.isError && !isGone && <Failed error={scout.error} onRetry={() => void scout.refetch()} />}
      {scout.data !== undefined && !isGone && <Found {...scout.data} />}
    </section>
  );
}

function Found({ scout, trouble }: { readonly scout: Scout; readonly trouble: ToldTrouble | null }) {
  const { t } = useTranslation();
  const { state } = scout;
  return (
    <>
      <div>
        <h1 dir="auto">{line(scout.name) || scout.id}</h1>
        <p className="about">
          <span className={`state-word state-${state}`}>{t(`scoutState.${state}`)}</span>
          <SourceName source={scout.sourceType} />
        </p>
      </div>
      {trouble !== null && <TroubleNote trouble={trouble} />}
      <ScoutActions scout={scout} />
      <div className="panels">
        <ScoutHealth scout={scout} />
        <RunsPanel id={scout.id} />
        <CloudScoutConfigPanel key={scout.id} scout={scout} />
        <ScoutMute scout={scout} />
      </div>
    </>
  );
}
