import type { ProjectId } from "../../../events/ids.ts";
import type { PaidSummaries } from "../../access/summaries/summaries.ts";
import type { DeviceStore } from "../../store/open.ts";

/** What the scan of a project's folder has said of its files, by the content it was said of. */
export const paidSummaries = (store: DeviceStore, projectId: ProjectId): PaidSummaries => ({
  of(path) {
    const row = store.folderFiles.find(projectId, path);
    if (row === undefined || row.summary === null || row.summaryHash === null) return undefined;
    return { text: row.summary, hash: row.summaryHash, at: row.summaryUpdatedAt ?? 0 };
  },
});
