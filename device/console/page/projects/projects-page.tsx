import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import "../form/form.css";
import "../scouts/scouts.css";
import "./projects.css";
import { Said } from "../app/said.tsx";
import { dateText, line } from "../app/shown-text.ts";
import { UnsavedLink } from "../edit/unsaved-page.tsx";
import { FileCount } from "../folders/file-count.tsx";
import { LinkFolderForm } from "../folders/link-folder-form.tsx";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { NewProject } from "./change/new-project.tsx";
import { FolderChip } from "./folder-chip.tsx";
import { type Project, useProjects } from "./queries.ts";

/** Every project of this device, and how its folder is. */
export function ProjectsPage() {
  const { t } = useTranslation();
  const list = useProjects();
  const projects = list.data?.projects ?? [];
  return (
    <section className="page">
      <h1>{t("nav.projects")}</h1>
      <UnsavedLink />
      {list.isPending && <Loading />}
      {list.isError && <Failed error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && projects.length === 0 && <Empty title={t("projects.empty")} hint={t("projects.emptyHint")} />}
      {projects.length > 0 && (
        <ul className="plain projects">
          {projects.map((project) => (
            <li key={project.id}>
              <ProjectCard project={project} />
            </li>
          ))}
        </ul>
      )}
      <section className="panel" aria-labelledby="link-folder">
        <h2 id="link-folder">{t("projects.linkNew")}</h2>
        <LinkFolderForm />
      </section>
      <section className="panel" aria-labelledby="new-project">
        <h2 id="new-project">{t("projects.new")}</h2>
        <NewProject />
      </section>
    </section>
  );
}

function ProjectCard({ project }: { readonly project: Project }) {
  const { t, i18n } = useTranslation();
  const { id, name, folderPath, lastScannedAt, trouble } = project;
  return (
    <article className="scout-card">
      <h2>
        <Link to="/projects/$id" params={{ id }} dir="auto">
          {line(name) || id}
        </Link>
      </h2>
      <p className="about">
        <FolderChip project={project} />
        {folderPath !== null && (
          <>
            <bdi>{line(folderPath)}</bdi>
            <FileCount of={project} />
            <span>
              {lastScannedAt === null
                ? t("projects.neverRead")
                : t("projects.lastRead", { at: dateText(lastScannedAt, i18n.language) })}
            </span>
          </>
        )}
      </p>
      {trouble !== null && (
        <p className="trouble">
          <Said what={trouble} />
        </p>
      )}
    </article>
  );
}
