import type { ProjectId } from "../../../events/ids.ts";
import type { PersonalRules } from "../../access/policy/rules.ts";
import { personalRules } from "../../config/personal-config.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import { folderName, openFolder } from "../../files/place/folder-place.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import { settleAbandonedScans } from "../../store/abandoned-scans.ts";
import type { FolderFile, Project } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { notLinked } from "../not-linked.ts";
import { compareWithDisk, type DiskComparison } from "./compare-with-disk.ts";
import type { FileState, ManifestFile } from "./manifest-file.ts";
import { type RenderedManifest, renderManifest } from "./render.ts";
import { type RenderedProjects, recentFilesPerProject, renderRecent } from "./render-recent.ts";
import { tokenCounter } from "./token-counter.ts";

export interface ReadManifestOptions {
  readonly store: DeviceStore;
  readonly now: () => number;
  readonly budgetTokens?: number;
  /** The person's own rules about what may be read. */
  readonly rules?: PersonalRules | undefined;
  readonly openFiles?: (folderPath: string) => ProjectFiles;
}

export interface ProjectManifest extends RenderedManifest {
  readonly project: Project;
  /** Whether a scan would change the manifest; it has been rendered as it is. */
  readonly wantsScan: boolean;
}

/**
 * The manifest of a project's folder as a prompt gets it, with a word about every file that has changed since.
 *
 * @throws DeviceError `project_unknown`, `folder_not_linked`
 */
export async function readManifest(projectId: ProjectId, options: ReadManifestOptions): Promise<ProjectManifest> {
  const { store, now, budgetTokens, rules, openFiles = openFolder } = options;
  settleAbandonedScans(store, now());
  const project = store.projects.get(projectId);
  const { folderPath } = project;
  if (folderPath === null) throw notLinked(project.name);
  const [countTokens, disk] = await Promise.all([
    tokenCounter(),
    lookAtDisk(projectId, folderPath, { store, rules, openFiles }),
  ]);
  const rows = store.folderFiles.list(projectId);
  const rendered = renderManifest(
    {
      project,
      folderName: folderName(folderPath),
      files: rows.map((row) => manifestFile(row, disk?.states.get(row.relativePath))),
      scan: {
        status: project.folderLastScanStatus,
        endedAtMs: project.folderLastScannedAt,
        errorCode: project.folderErrorCode,
        isReachable: disk !== undefined,
      },
    },
    { countTokens, nowMs: now(), ...(budgetTokens !== undefined && { budgetTokens }) },
  );
  return { ...rendered, project, wantsScan: disk?.wantsScan === true };
}

/** The files of every linked project that changed last, as a prompt about all of them gets them. */
export async function readRecent(options: ReadManifestOptions): Promise<RenderedProjects> {
  const { store, now, budgetTokens } = options;
  const linked = store.projects.linked();
  const projects = linked.map(({ id, name, folderLastScannedAt }) => ({
    id,
    name,
    totalFiles: store.folderFiles.total(id),
    scannedAtMs: folderLastScannedAt,
    recent: store.folderFiles.recent(id, recentFilesPerProject).map((row) => manifestFile(row, undefined)),
  }));
  const countTokens = await tokenCounter();
  return renderRecent(projects, { countTokens, nowMs: now(), ...(budgetTokens !== undefined && { budgetTokens }) });
}

/** How a folder compares with its manifest, as agents are told; undefined when its disk is away. */
export function lookAtDisk(
  projectId: ProjectId,
  folderPath: string,
  {
    store,
    rules = personalRules(store.dataFolder, folderPath),
    openFiles = openFolder,
  }: Omit<ReadManifestOptions, "now">,
): Promise<DiskComparison | undefined> {
  return whenReachable(async () => compareWithDisk(store, openFiles(folderPath), projectId, rules));
}

/** A file as agents are told of it. A summary that is about another content is stale whatever the disk says. */
export function manifestFile(row: FolderFile, onDisk: FileState | undefined): ManifestFile {
  const { relativePath, kind, tag, summary, mtimeMs, summaryHash, contentHash } = row;
  const outdated = summary !== null && summaryHash !== contentHash;
  return { path: relativePath, kind, tag, summary, mtimeMs, state: onDisk ?? (outdated ? "stale" : "current") };
}

/** What is known of a folder stays known while its disk is away. */
async function whenReachable<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!isProjectFilesError(error, "NotFound", "NotADirectory", "RootGone", "AccessDenied", "StorageFailed"))
      throw error;
    return undefined;
  }
}
