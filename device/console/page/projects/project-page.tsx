import { getRouteApi, Link, Outlet } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import "../form/form.css";
import "../scouts/scouts.css";
import "./projects.css";
import { ApiError } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { FolderChip } from "./folder-chip.tsx";
import { useProject } from "./queries.ts";

const route = getRouteApi("/projects/$id");

/** What stands around every tab of a project. */
export function ProjectPage() {
  const { t } = useTranslation();
  const { id } = route.useParams();
  const found = useProject(id);
  const isGone = found.error instanceof ApiError && [400, 404].includes(found.error.status);
  const project = found.data?.project;
  return (
    <section className="page project">
      <p>
        <Link to="/projects">{t("projects.back")}</Link>
      </p>
      {found.isPending && <Loading />}
      {isGone && <Empty title={t("projects.gone")} hint={t("projects.goneHint")} />}
      {found.isError && !isGone && <Failed error={found.error} onRetry={() => void found.refetch()} />}
      {project !== undefined && !isGone && (
        <>
          <div className="head">
            <h1 dir="auto">{line(project.name) || id}</h1>
            <FolderChip project={project} />
          </div>
          <nav className="tabs" aria-label={t("projects.tabs")}>
            <Link to="/projects/$id" params={{ id }} activeOptions={{ exact: true }}>
              {t("projects.tab.overview")}
            </Link>
            <Link to="/projects/$id/files" params={{ id }}>
              {t("projects.tab.files")}
            </Link>
            <Link to="/projects/$id/ask" params={{ id }}>
              {t("nav.ask")}
            </Link>
            <Link to="/projects/$id/tasks" params={{ id }}>
              {t("projects.tab.tasks")}
            </Link>
          </nav>
          <Outlet />
        </>
      )}
    </section>
  );
}
