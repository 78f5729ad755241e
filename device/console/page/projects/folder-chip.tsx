import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { line } from "../app/shown-text.ts";
import type { Project } from "./queries.ts";

/** How far a scan is, in a few words. */
export function useScanText(): (scan: NonNullable<Project["scan"]>) => string {
  const { t } = useTranslation();
  return (scan) => {
    if (scan.phase === "wait") return t("projects.phase.wait");
    const { phase, done, total } = scan;
    if (total === undefined) return t(`projects.phase.${phase}`, { of: t("projects.count", { count: done }) });
    return t(`projects.phase.${phase}`, { of: t("projects.of", { done, total }) });
  };
}

/** A scan that somebody ended is no failure, and a folder that is read by hand only is not watched. */
function wordFor({ state, trouble, reading }: Project): Project["state"] | "stopped" | "paused" {
  if (state === "error" && trouble?.code === "scan_interrupted") return "stopped";
  return state === "idle" && reading?.isEnabled === false ? "paused" : state;
}

/** How a project's folder is, at a glance; it leads to the files. */
export function FolderChip({ project }: { readonly project: Project }) {
  const { t } = useTranslation();
  const scanText = useScanText();
  const { id, name, state, scan } = project;
  const word = wordFor(project);
  const isRead = scan !== null || state === "scanning";
  const text = scan === null ? t(`projects.state.${word}`) : scanText(scan);
  return (
    <Link
      className={`folder-chip state-word state-${isRead ? "scanning" : word}`}
      to="/projects/$id/files"
      params={{ id }}
      aria-label={t("projects.chip", { name: line(name) || id, state: text })}
    >
      {text}
    </Link>
  );
}
