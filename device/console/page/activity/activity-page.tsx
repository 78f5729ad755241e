import { useSearch } from "@tanstack/react-router";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { useTranslation } from "react-i18next";
import "../form/form.css";
import "./activity.css";
import { activityViews } from "../routes/addresses.ts";
import { useGo } from "../routes/go.ts";
import { Missing } from "../states/missing.tsx";
import { ApprovalsPanel } from "./approvals-panel.tsx";
import { type TrailFilter, useTrails } from "./queries.ts";
import { RunsPanel } from "./runs-panel.tsx";
import { TrailPanel } from "./trail-panel.tsx";
import { UnreadableTrails } from "./unreadable-trails.tsx";

/** What waits for a yes, what agents and programs did, and the trail of every call. */
export function ActivityPage() {
  const { t } = useTranslation();
  const go = useGo();
  const { view = "waiting", ...filter } = useSearch({ from: "/activity" });
  const trails = useTrails();
  const show = (next: string, narrowed: TrailFilter = {}) =>
    void go({ to: "/activity", search: { ...(next !== "waiting" && { view: next }), ...narrowed } });
  const chosen = activityViews.find((each) => each === view) ?? "waiting";
  return (
    <section className="page activity">
      <h1>{t("nav.activity")}</h1>
      {chosen !== "trail" && <Missing of={[trails]} />}
      <UnreadableTrails />
      <Tabs selectedKey={chosen} onSelectionChange={(key) => show(String(key))}>
        <TabList aria-label={t("nav.activity")} className="activity-tabs">
          {activityViews.map((each) => (
            <Tab key={each} id={each} className="activity-tab">
              {t(`activity.view.${each}`)}
            </Tab>
          ))}
        </TabList>
        <TabPanel id="waiting">
          <ApprovalsPanel />
        </TabPanel>
        <TabPanel id="runs">
          <RunsPanel onSession={(session, trail) => show("trail", { session, ...(trail !== null && { trail }) })} />
        </TabPanel>
        <TabPanel id="trail">
          <TrailPanel filter={filter} onFilter={(narrowed) => show("trail", narrowed)} />
        </TabPanel>
      </Tabs>
    </section>
  );
}
