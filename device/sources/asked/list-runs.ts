import { runListResponse, type ScoutRunResponse } from "../../../events/http/scouts.ts";
import { askCloud, type CloudApi } from "../../connect/cloud-api.ts";
import type { ScoutRun, ScoutRunAction } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { pathOf } from "../scout-named.ts";

const pageSize = 100;

/** A run of a scout of the home, or of the one that watches a project's folder on this device. */
export interface ShownRun {
  readonly id: string;
  /** The scout's name, or the project's. */
  readonly name: string;
  readonly source: string;
  /** When it ended, or began where it goes on; milliseconds since the epoch. */
  readonly at: number;
  /** How it ended: one word for what both call differently, a scout's `complete` is `completed` as a scan's is. */
  readonly outcome: Exclude<ScoutRunResponse["outcome"], "complete"> | ScoutRun["status"];
  /** What kept it, where something did. */
  readonly code: string | null;
  readonly found: RunFindings;
}

/** What a run found: items at a source, or files of a folder that are not as they were. */
export type RunFindings =
  | { readonly of: "items"; readonly items: number }
  | {
      readonly of: "files";
      readonly added: number;
      readonly changed: number;
      readonly renamed: number;
      readonly removed: number;
    };

/** The newest runs of a scout. */
export async function runsOfScout(
  api: CloudApi,
  scout: { readonly id: string; readonly name: string; readonly sourceType: string },
  limit: number,
): Promise<ShownRun[]> {
  const runs: ScoutRunResponse[] = [];
  let cursor: string | null = "";
  while (cursor !== null && runs.length < limit) {
    const query = new URLSearchParams({ limit: String(Math.min(pageSize, limit - runs.length)) });
    if (cursor !== "") query.set("cursor", cursor);
    const path = `${pathOf(scout.id)}/runs?${query}`;
    const page: { runs: ScoutRunResponse[]; nextCursor: string | null } = await askCloud(
      api,
      "GET",
      path,
      runListResponse,
    );
    runs.push(...page.runs);
    cursor = page.nextCursor;
  }
  return runs.map(({ id, at, outcome, queued, code }) => ({
    id,
    name: scout.name,
    source: scout.sourceType,
    at,
    outcome: outcome === "complete" ? "completed" : outcome,
    code,
    found: { of: "items", items: queued },
  }));
}

/** The newest scans of a project's folder. */
export function runsOfProject(store: DeviceStore, project: Parameters<typeof shownScan>[1], limit: number): ShownRun[] {
  return store.scoutRuns.list(project.id, limit).map((run) => shownScan(run, project));
}

function shownScan(run: ScoutRun, { name }: { readonly id: ScoutRun["projectId"]; readonly name: string }): ShownRun {
  const { newFiles: added, changedFiles: changed, renamedFiles: renamed, deletedFiles: removed } = run;
  return {
    id: run.id,
    name,
    source: "folder",
    at: run.endedAt ?? run.startedAt,
    outcome: run.status,
    code: run.errorCode,
    found: { of: "files", added, changed, renamed, removed },
  };
}

/** What a scan did, file by file. @returns undefined when this device knows no such scan */
export function actionsOf(store: DeviceStore, id: string): readonly ScoutRunAction[] | undefined {
  for (const project of store.projects.list()) {
    const run = store.scoutRuns.list(project.id).find((each) => each.id === id || each.id === `run_${id}`);
    if (run) return store.scoutRuns.actions(run.id);
  }
  return undefined;
}
