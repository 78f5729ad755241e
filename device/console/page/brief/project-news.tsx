import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { agoText, line } from "../app/shown-text.ts";
import { useThisMinute } from "../states/this-minute.ts";
import type { BriefOf } from "./waiting.tsx";

const counts = ["added", "changed", "removed", "tasksAdded", "tasksDone"] as const;

/** What has changed in projects in the last seven days; nothing where there is none. */
export function ProjectNews({ projects }: { readonly projects: BriefOf["projects"] }) {
  const { t, i18n } = useTranslation();
  const nowMs = useThisMinute(Date.now);
  return (
    <section className="panel" aria-labelledby="brief-projects">
      <h2 id="brief-projects">{t("brief.projects")}</h2>
      {projects.length === 0 && <p className="hint">{t("brief.noChange")}</p>}
      <ul className="brief-lines">
        {projects.map((project) => (
          <li key={project.id}>
            <p>
              <Link to="/projects/$id" params={{ id: project.id }} className="brief-project">
                <bdi>{line(project.name)}</bdi>
              </Link>{" "}
              {project.changedAt !== null && (
                <span className="hint">{agoText(project.changedAt, nowMs, i18n.language)}</span>
              )}
            </p>
            <ul className="brief-counts">
              {counts
                .filter((name) => project[name] > 0)
                .map((name) => (
                  <li key={name}>{t(`brief.change.${name}`, { count: project[name] })}</li>
                ))}
            </ul>
            {project.files.length > 0 && (
              <p className="hint">
                {project.files.map(({ path }) => (
                  <bdi key={path} className="brief-file">
                    {line(path)}
                  </bdi>
                ))}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
