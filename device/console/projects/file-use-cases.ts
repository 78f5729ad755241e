import type { ProjectId } from "../../../events/ids.ts";
import type { DiskLooks } from "../../projects/disk-looks.ts";
import { type FileListRequest, filePage, shownFile } from "../../projects/file-list.ts";
import { FileRefusal } from "../../projects/file-refusal.ts";
import { type FileTreeRequest, fileTreePage } from "../../projects/file-tree.ts";
import { modelView, type NamedFile, type PreviewParts, previewFile } from "../../projects/preview.ts";
import { type Compared, diffOfVersions, type Restoring, restoreVersion, versionsOf } from "../../projects/versions.ts";
import type { EventLog } from "../news/event-log.ts";
import { toldKeptIfAny } from "../told.ts";
import { filesAPage } from "./contract.ts";
import { toldFile } from "./told-file.ts";

export interface FileParts extends PreviewParts {
  readonly log: EventLog;
  readonly looks: DiskLooks;
}

/** What a tab can ask of a project's files, and do with them. */
export type FileUseCases = ReturnType<typeof fileUseCases>;

/** The use cases of a project's files, as the console offers them. */
export function fileUseCases({ store, folders, log, looks }: FileParts) {
  const parts = { store, folders };
  return {
    /** A part of the list. @throws DeviceError `project_unknown` */
    page(id: ProjectId, request: Omit<FileListRequest, "limit">) {
      store.projects.get(id);
      const { files, total } = filePage(store, id, { ...request, limit: filesAPage }, looks.statesOf(id));
      return { rows: files.map((file) => ({ type: "file" as const, depth: 0, file: toldFile(file) })), total };
    },

    /** A part of the tree. @throws DeviceError `project_unknown` */
    tree(id: ProjectId, request: Omit<FileTreeRequest, "limit">) {
      store.projects.get(id);
      const { rows, total } = fileTreePage(store, id, { ...request, limit: filesAPage }, looks.statesOf(id));
      return { rows: rows.map((row) => (row.type === "file" ? { ...row, file: toldFile(row.file) } : row)), total };
    },

    /** Compares the folder with what is known of it. @throws DeviceError `project_unknown`, `folder_not_linked` */
    disk: (id: ProjectId) => looks.look(id),

    /** @throws FileRefusal `not_found` */
    file({ project, number }: NamedFile) {
      const row = store.listedFiles.byNumber(project, number);
      if (row === undefined) throw new FileRefusal("not_found");
      return { file: toldFile(shownFile(row, looks.statesOf(project))) };
    },

    /** @throws as `previewFile` */
    async preview(file: NamedFile, asked: { readonly startChar: number; readonly approves: boolean }) {
      const preview = await previewFile(parts, file, asked);
      return { preview: preview.form === "none" ? { ...preview, reason: toldKeptIfAny(preview.reason) } : preview };
    },

    /** @throws as `modelView` */
    modelView: (file: NamedFile) => modelView(parts, file),
    /** @throws as `versionsOf` */
    versions: async (file: NamedFile, approves: boolean) => ({ versions: await versionsOf(parts, file, approves) }),
    /** @throws as `diffOfVersions` */
    diff: (file: NamedFile, compared: Compared) => diffOfVersions(parts, file, compared),

    /** @throws as `restoreVersion` */
    async restore(file: NamedFile, restoring: Restoring) {
      const restored = await restoreVersion(parts, file, restoring);
      log.add({ type: "files", project: file.project });
      return restored;
    },
  };
}
