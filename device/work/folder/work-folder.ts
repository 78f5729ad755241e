import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { DeviceError } from "../../errors.ts";
import { liesIn } from "../../files/place/data-folder-place.ts";
import type { DeviceStore } from "../../store/open.ts";

const folderCursor = "work.folder";

/** Where a person wants their notes and calendar as files; undefined where nowhere. */
export const workFolder = ({ cursors }: DeviceStore): string | undefined => cursors.get(folderCursor)?.value;

/**
 * Chooses the folder, or none. What an earlier one holds stays there as it is, and is known again when it is chosen again.
 *
 * @param folder an absolute path; it is there
 * @throws DeviceError `usage` when it is no folder, the root of the file system or around the person's own, or within the data
 * folder
 */
export function chooseWorkFolder(store: DeviceStore, folder: string | null): void {
  if (folder !== null) {
    if (!existsSync(folder) || !statSync(folder).isDirectory()) {
      throw new DeviceError("usage", { sentence: `${folder} is no folder; make it first.` });
    }
    const isRoot = liesIn(path.parse(folder).root, folder);
    if (isRoot || (liesIn(homedir(), folder) && !liesIn(folder, homedir()))) {
      const what = isRoot ? "the root of the file system" : "around your home directory";
      const sentence = `${folder} is ${what}, where notes and a calendar are not kept; choose a folder of yours.`;
      throw new DeviceError("usage", { sentence });
    }
    if (liesIn(folder, store.dataFolder)) {
      throw new DeviceError("usage", { sentence: `${folder} lies in this device's data folder; choose another one.` });
    }
  }
  if (folder === null) store.cursors.clear(folderCursor);
  else store.cursors.set(folderCursor, folder);
}
