import { getRouteApi } from "@tanstack/react-router";
import { Said } from "../../app/said.tsx";
import { line } from "../../app/shown-text.ts";
import { FileCount } from "../../folders/file-count.tsx";
import { LocalScoutConfigPanel } from "../../folders/local-scout-config-panel.tsx";
import { ScansPanel } from "../../folders/scans-panel.tsx";
import { Failed, Loading } from "../../states/states.tsx";
import { ChangeProject } from "../change/change-project.tsx";
import { ReplacedFolder } from "../change/replaced-folder.tsx";
import { type Project, useOverview, useProject } from "../queries.ts";
import { Counts } from "./counts.tsx";
import { Entries } from "./entries.tsx";
import { GiveFolder } from "./give-folder.tsx";
import { PlanBanner } from "./plan-banner.tsx";
import { ScanPanel } from "./scan-panel.tsx";
import { Unlink } from "./unlink.tsx";

const route = getRouteApi("/projects/$id");

/** A project at a glance: its folder, what is in it, and what was read of it. */
export function OverviewTab() {
  const { id } = route.useParams();
  const { data } = useProject(id);
  if (data === undefined) return <Loading />;
  return data.project.folderPath === null ? <Unlinked project={data.project} /> : <Linked project={data.project} />;
}

/** Where the plan kept the folder from being linked, that is said. */
function Unlinked({ project }: { readonly project: Project }) {
  return (
    <>
      {project.trouble !== null && (
        <p className="trouble">
          <Said what={project.trouble} />
        </p>
      )}
      <PlanBanner project={project} waiting={0} />
      <GiveFolder id={project.id} />
      <ChangeProject project={project} />
    </>
  );
}

function Linked({ project }: { readonly project: Project }) {
  const { id, folderPath, reading, state, trouble } = project;
  const overview = useOverview(id);
  return (
    <>
      <p className="about">
        <bdi>{line(folderPath ?? "")}</bdi>
        <FileCount of={project} />
      </p>
      <ReplacedFolder id={id} />
      <ScanPanel project={project} />
      {state === "error" && trouble?.code === "folder_not_found" && <GiveFolder id={id} isMoved />}
      <PlanBanner project={project} waiting={overview.data?.overview.byState.waiting ?? 0} />
      {overview.isPending && <Loading />}
      {overview.isError && <Failed error={overview.error} onRetry={() => void overview.refetch()} />}
      <div className="panels">
        {overview.isSuccess && <Entries id={id} entries={overview.data.overview.entries} />}
        {overview.isSuccess && <Counts id={id} overview={overview.data.overview} />}
        {reading !== null && <LocalScoutConfigPanel id={id} {...reading} />}
        <ScansPanel id={id} />
        <ChangeProject project={project} />
      </div>
      <Unlink project={project} />
    </>
  );
}
