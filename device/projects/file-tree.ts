import type { ProjectId } from "../../events/ids.ts";
import type { DeviceStore } from "../store/open.ts";
import type { ListedFilter } from "../store/tables/manifest/listed-files.ts";
import { type DiskStates, type FileListRequest, filterOf, type ShownFile, shownFile } from "./file-list.ts";

export interface FileTreeRequest extends FileListRequest {
  /** Folders whose content is shown, by their paths; one in a folder that is closed is not. */
  readonly open: readonly string[];
}

/** A line of a tree: a folder, or a file. `depth` is how many folders it lies in. */
export type TreeRow =
  | {
      readonly type: "folder";
      readonly path: string;
      readonly name: string;
      readonly depth: number;
      /** In and below it. */
      readonly files: number;
      readonly isOpen: boolean;
    }
  | { readonly type: "file"; readonly depth: number; readonly file: ShownFile };

/** A part of a tree before its files are read: a folder's line, or so many files of a folder. */
type Part =
  | { readonly lines: 1; readonly row: TreeRow }
  | { readonly lines: number; readonly folder: string; readonly depth: number };

/**
 * Lines of a project's folder as a tree, and how many it has in all: of each open folder first the folders in it, then its
 * files. Only the files that are asked for are read, whatever the tree's size.
 */
export function fileTreePage(store: DeviceStore, projectId: ProjectId, request: FileTreeRequest, disk?: DiskStates) {
  const filter = filterOf(request);
  const { from, limit } = request;
  return store.transaction(() => {
    const rows: TreeRow[] = [];
    let total = 0;
    for (const part of partsOf(store, projectId, filter, new Set(request.open))) {
      const before = total;
      total += part.lines;
      const first = Math.max(0, from - before);
      const count = Math.min(part.lines - first, from + limit - before - first);
      if (count <= 0) continue;
      if ("row" in part) rows.push(part.row);
      else {
        const { folder, depth } = part;
        const files = store.listedFiles.filesIn(projectId, folder, filter, { from: first, limit: count });
        rows.push(...files.map((row) => ({ type: "file" as const, depth, file: shownFile(row, disk) })));
      }
    }
    return { rows, total };
  });
}

function* partsOf(
  store: Pick<DeviceStore, "listedFiles">,
  projectId: ProjectId,
  filter: ListedFilter,
  open: ReadonlySet<string>,
  folder = "",
  depth = 0,
): Generator<Part> {
  for (const { name, files } of store.listedFiles.folders(projectId, folder, filter)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    const isOpen = open.has(path);
    yield { lines: 1, row: { type: "folder", path, name, depth, files, isOpen } };
    if (isOpen) yield* partsOf(store, projectId, filter, open, path, depth + 1);
  }
  const lines = store.listedFiles.countIn(projectId, folder, filter);
  if (lines > 0) yield { lines, folder, depth };
}
