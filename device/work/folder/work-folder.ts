import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import * as z from "zod";
import { DeviceError } from "../../errors.ts";
import { liesIn } from "../../files/place/data-folder-place.ts";
import type { DeviceStore } from "../../store/open.ts";

const folderCursor = "work.folder";
const filesCursor = "work.files";

/** A file of the folder as it was when both sides last said the same, if in other words. */
const record = z.object({
  /** Hash of the file. */
  file: z.string(),
  /** Hash of what this device would write; null where it was taken from the file just now. */
  device: z.string().nullable(),
  /** The note it is; absent for the calendar. */
  note: z.string().optional(),
  /** Both sides have changed: where this device's version was put beside the person's. */
  copy: z.string().optional(),
});
export type FolderRecord = z.infer<typeof record>;
const records = z.record(z.string(), record);

/** Where a person wants their notes and calendar as files; undefined where nowhere. */
export const workFolder = ({ cursors }: DeviceStore): string | undefined => cursors.get(folderCursor)?.value;

/**
 * Chooses the folder, or none. What an earlier one holds stays there as it is.
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
  store.transaction(() => {
    store.cursors.clear(filesCursor);
    if (folder === null) store.cursors.clear(folderCursor);
    else store.cursors.set(folderCursor, folder);
  });
}

export function readRecords({ cursors }: DeviceStore): Map<string, FolderRecord> {
  const value = cursors.get(filesCursor)?.value;
  return new Map(value === undefined ? [] : Object.entries(records.parse(JSON.parse(value))));
}

export function writeRecords({ cursors }: DeviceStore, all: ReadonlyMap<string, FolderRecord>): void {
  cursors.set(filesCursor, JSON.stringify(Object.fromEntries(all)));
}
