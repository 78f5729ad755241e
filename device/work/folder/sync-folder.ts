import path from "node:path";
import { DeviceError } from "../../errors.ts";
import { waitForFileLock } from "../../store/held-locks.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { SyncedFolder } from "./file-merge.ts";
import { FolderSync } from "./folder-sync.ts";
import { workFolder } from "./work-folder.ts";

/** A sync takes milliseconds, but for the first one of many notes. */
const mostWaitMs = 2_000;

/**
 * Brings the person's folder and this device to the same: notes as Markdown files, events as one calendar file.
 *
 *     file as it was    device changed   → written, whole or not at all
 *     file changed      device as it was → taken, as a change that can be undone
 *     both changed      the file stays; the device's version is put beside it, until that is taken away
 *
 * A file is written first and noted after it (a new one before it), a change is taken and noted in one transaction: whoever is
 * killed in between finds both sides saying the same, or does the same again. Processes of one data folder take turns.
 *
 * @returns undefined when the person has chosen no folder
 * @throws DeviceError `export_failed`, `store_busy` when another process is at it for longer than `maxWaitMs`, and those of the store
 */
export async function syncWorkFolder(
  store: DeviceStore,
  nowMs: number,
  maxWaitMs: number = mostWaitMs,
): Promise<SyncedFolder | undefined> {
  if (workFolder(store) === undefined) return undefined;
  const release = await waitForFileLock(path.join(store.dataFolder, "work-folder.lock"), maxWaitMs);
  if (release === undefined) {
    const sentence = `Another program is bringing your folder up to date just now, so this one left it alone. What you keep is on this device all the same; try again in a while: scouts work-folder`;
    throw new DeviceError("store_busy", { sentence });
  }
  try {
    const root = workFolder(store);
    return root === undefined ? undefined : await new FolderSync(store, root, nowMs).all();
  } finally {
    release();
  }
}
