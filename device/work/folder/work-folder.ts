import { existsSync, mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { DeviceError } from "../../errors.ts";
import { systemCode } from "../../files/backends/fs/fs-errors.ts";
import { liesIn } from "../../files/place/data-folder-place.ts";
import { othersPlace } from "../../folders/system-folders.ts";
import type { DeviceStore } from "../../store/open.ts";

const folderCursor = "work.folder";

/** Where a person wants their notes and calendar as files; undefined where nowhere. */
export const workFolder = ({ cursors }: DeviceStore): string | undefined => cursors.get(folderCursor)?.value;

/** Chooses no folder any more: what is there stays, and is known again when it is chosen again. */
export const leaveWorkFolder = ({ cursors }: DeviceStore): void => cursors.clear(folderCursor);

/**
 * Chooses the folder. What an earlier one holds stays there as it is, and is known again when it is chosen again.
 *
 * @param folder an absolute path; it is made where only its last part is missing
 * @returns whether it was made
 * @throws DeviceError `usage` when it is no folder and cannot be one, is not the person's own (the root of the file system, a folder of
 * the system's, one around their home directory), or lies within the data folder
 */
export function chooseWorkFolder(store: DeviceStore, folder: string): boolean {
  const why = attempted(folder, () => whyUnfit(folder, store.dataFolder));
  if (why !== undefined) throw unfit(`${folder} ${why}`);
  const isMade = attempted(folder, () => makeFolder(folder));
  store.cursors.set(folderCursor, folder);
  return isMade;
}

/** Why notes and a calendar are not kept in a place; undefined where they may be. */
function whyUnfit(folder: string, dataFolder: string): string | undefined {
  const refused = (what: string) => `is ${what}, where notes and a calendar are not kept; choose a folder of yours.`;
  if (liesIn(path.parse(folder).root, folder)) return refused("the root of the file system");
  if (liesIn(homedir(), folder) && !liesIn(folder, homedir())) return refused("around your home directory");
  if (liesIn(folder, dataFolder)) return "lies in this device's data folder; choose another one.";
  const whose = othersPlace(folder);
  return whose && refused(`a place of ${whose === "system" ? "the system" : whose}`);
}

/** Makes a folder in one that is there: a path of which more is missing is mistyped, or on a drive that is away. */
function makeFolder(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return false;
  if (found !== undefined) throw unfit(`${folder} is a file and no folder; choose another place.`);
  const parent = path.dirname(folder);
  if (!existsSync(parent)) {
    throw unfit(`${folder} cannot be made, as there is no ${parent}; make that first, or check the path.`);
  }
  mkdirSync(folder);
  return true;
}

function attempted<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (systemCode(cause) === undefined || cause instanceof DeviceError) throw cause;
    throw unfit(`${folder} cannot be a folder of yours: check that you may write to ${path.dirname(folder)}.`, cause);
  }
}

const unfit = (sentence: string, cause?: unknown) => new DeviceError("usage", { sentence, cause });
