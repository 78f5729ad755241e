import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { openPreparer } from "../../device/folders/indexer/prepare.ts";
import { kindOfName } from "../../device/folders/scanner/kinds.ts";
import type { FolderFile } from "../../device/store/folder-schema.ts";

/** The beginning of each file's text as it would travel to its summary, by path; of pictures and what cannot be read none. */
export async function firstCharacters(
  root: string,
  rows: readonly FolderFile[],
  characters: number,
): Promise<ReadonlyMap<string, string>> {
  const preparer = openPreparer(new FsProjectFiles(root), Date.now);
  const found = new Map<string, string>();
  try {
    for (const { relativePath: relPath, sizeBytes, mtimeMs, contentHash } of rows) {
      const kind = kindOfName(relPath.slice(relPath.lastIndexOf("/") + 1));
      if (kind === undefined || kind === "image" || contentHash === null) continue;
      const file = { relPath, kind, sizeBytes, mtimeMs: Math.trunc(mtimeMs), contentHash, estimatedTokens: 0 };
      const prepared = await preparer.prepare(file, undefined);
      if (prepared.outcome === "ready") found.set(relPath, prepared.file.content.slice(0, characters));
    }
    return found;
  } finally {
    await preparer.close();
  }
}
