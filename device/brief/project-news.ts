import type { ProjectId } from "../../events/ids.ts";
import type { ScoutAction } from "../store/folder-schema.ts";
import type { DeviceStore } from "../store/open.ts";

/** What has changed in a project. */
export interface ProjectNews {
  readonly id: ProjectId;
  readonly name: string;
  /** When a scan last found something, milliseconds since the epoch; null where tasks alone have changed. */
  readonly changedAt: number | null;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Some of the files, those found last first. */
  readonly files: readonly { readonly path: string; readonly action: ScoutAction }[];
  /** Tasks that were made, and that were ended. */
  readonly tasksAdded: number;
  readonly tasksDone: number;
}

/** How far back it is looked: as far as the brief looks ahead. */
const backMs = 7 * 86_400_000;
const namedFiles = 3;

/**
 * What scans of the linked folders have found in the last seven days, and what became of tasks; projects in which nothing
 * has changed are left out, those that changed last come first. A folder that was just linked has not changed.
 */
export function projectNews(store: DeviceStore, nowMs: number): ProjectNews[] {
  const sinceMs = nowMs - backMs;
  const tasks = store.work.task.list();
  const isNew = (ms: number | null) => ms !== null && ms >= sinceMs;
  const news = store.projects.list().map(({ id, name }): ProjectNews => {
    const { files, counts, changedAt } = store.scoutRuns.changedSince(id, sinceMs, namedFiles);
    const own = tasks.filter(({ projectId }) => projectId === id);
    return {
      id,
      name,
      changedAt,
      added: counts.added ?? 0,
      changed: (counts.changed ?? 0) + (counts.renamed ?? 0),
      removed: counts.removed ?? 0,
      files,
      tasksAdded: own.filter(({ createdAt }) => isNew(createdAt)).length,
      tasksDone: own.filter(({ doneAt }) => isNew(doneAt)).length,
    };
  });
  return news
    .filter((each) => each.added + each.changed + each.removed + each.tasksAdded + each.tasksDone > 0)
    .toSorted((one, other) => (other.changedAt ?? 0) - (one.changedAt ?? 0) || (one.name < other.name ? -1 : 1));
}
