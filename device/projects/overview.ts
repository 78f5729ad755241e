import type { ManifestKind } from "../../events/frames/folders.ts";
import type { ProjectId } from "../../events/ids.ts";
import { entryDocuments } from "../access/registry.ts";
import type { CloudApi } from "../connect/cloud-api.ts";
import { checkFolderQuota } from "../folders/indexer/quota.ts";
import type { KeptState } from "../folders/manifest/kept-state.ts";
import { type LeftOut, type OmissionReason, omissionReasons } from "../folders/scanner/reasons.ts";
import type { DeviceStore } from "../store/open.ts";
import { type DiskStates, type ShownFile, shownFile } from "./file-list.ts";

/** Files at the top of a folder among which its entry documents are looked for. */
const mostAtTop = 5_000;
const mostEntries = 6;

/** What is known of a project's folder, in numbers, and what to read first. */
export interface ProjectOverview {
  readonly total: number;
  readonly byKind: Readonly<Partial<Record<ManifestKind, number>>>;
  readonly byState: Readonly<Partial<Record<KeptState, number>>>;
  /** Documents that say what the project is, the most telling first. */
  readonly entries: readonly ShownFile[];
  /** What the last complete scan left out and nothing else is known of, most first. */
  readonly leftOut: readonly { readonly reason: OmissionReason; readonly count: number }[];
}

/** @throws DeviceError `project_unknown` */
export function projectOverview(store: DeviceStore, id: ProjectId, disk?: DiskStates): ProjectOverview {
  store.projects.get(id);
  return store.transaction(() => {
    const everything = { words: [] };
    const atTop = store.listedFiles.filesIn(id, "", everything, { from: 0, limit: mostAtTop });
    const entries = entryDocuments.flatMap((pattern) => atTop.filter(({ relativePath }) => pattern.test(relativePath)));
    return {
      ...store.folderFiles.counts(id),
      byState: store.listedFiles.states(id),
      entries: entries.slice(0, mostEntries).map((row) => shownFile(row, disk)),
      leftOut: omissions(store.folderSnapshots.find(id)?.leftOut.byReason ?? {}),
    };
  });
}

/** What is in the manifest has a row that says why itself. */
const omissions = (byReason: LeftOut["byReason"]): ProjectOverview["leftOut"] =>
  Object.keys(omissionReasons)
    .map((reason) => ({ reason: reason as OmissionReason, count: byReason[reason as OmissionReason] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);

/** What the plan covers of folders; `null` limits are none. */
export interface FolderPlan {
  readonly tier: string;
  readonly maxFiles: number | null;
  readonly monthlyTokens: number | null;
  readonly used: number;
  /** Milliseconds since the epoch. */
  readonly resetsAt: number;
  /** Files that wait for the month's tokens. */
  readonly waiting: number;
}

/** @throws DeviceError `project_unknown`, and what asking the home throws */
export async function folderPlan(store: DeviceStore, api: CloudApi, id: ProjectId): Promise<FolderPlan> {
  store.projects.get(id);
  // Nothing of nothing is covered by every plan: the answer is what it covers.
  const plan = await checkFolderQuota(api, 0, 0);
  return { ...plan, waiting: store.listedFiles.states(id).waiting ?? 0 };
}
