import { existsSync } from "node:fs";
import { join } from "node:path";
import { isArtifactError } from "../artifacts/errors.ts";
import { artifactRoot, incomingRoot } from "../artifacts/store/naming.ts";
import type { PackedFiles } from "../artifacts/store/packed-files.ts";
import { isDeviceError } from "../errors.ts";
import { isProjectFilesError } from "../files/errors.ts";
import { keptIndexPath, removeIndexFile, workIndexPath } from "../knowledge/index/index-file.ts";
import type { DeviceStore } from "../store/open.ts";
import { aloneWithKeyFile, removeKeyFile, writeKeyFile } from "./key-file.ts";

/** What is being written takes minutes at most; a file that is older was left by a process that died. */
const abandonedMs = 3_600_000;

/**
 * Has all that agents left on the device be as it would be if it were kept now: encrypted once a passphrase is set, not encrypted
 * once it is to be removed. Each piece says itself which it is, and is replaced as a whole; so this may be stopped anywhere and
 * done again. Sealing needs no passphrase: whoever comes next finishes it.
 *
 * @returns false when something could not be done now: another program was reading or writing, or has said otherwise meanwhile
 * @throws DeviceError `kept_locked`, `passphrase_wrong` where opening needs the passphrase; `store_full`, `store_unreadable`
 */
export async function renewKept(store: DeviceStore, nowMs: number): Promise<boolean> {
  const { dataFolder, vault } = store;
  const { file } = vault;
  if (file === undefined) return true;
  // Words of it are in its index, and those of answers were in that of work once.
  removeIndexFile(keptIndexPath(dataFolder));
  removeIndexFile(workIndexPath(dataFolder));
  store.answers.renew();
  const isWhole = await renewArtifacts(store, nowMs);
  if (!isWhole || !isPurged(store)) return false;
  if (file.isDone && !file.isEnding) return true;
  return aloneWithKeyFile(dataFolder, (now) => {
    // What a person has said meanwhile is not done by this.
    if (now?.publicKey !== file.publicKey || now.isEnding !== file.isEnding) return false;
    if (now.isEnding) removeKeyFile(dataFolder);
    else writeKeyFile(dataFolder, { ...now, isDone: true });
    return true;
  });
}

function isPurged(store: DeviceStore): boolean {
  try {
    return store.purge();
  } catch (error) {
    if (isDeviceError(error, "store_busy")) return false;
    throw error;
  }
}

async function renewArtifacts({ dataFolder, vault }: DeviceStore, nowMs: number): Promise<boolean> {
  if (!existsSync(join(dataFolder, "runtime"))) return true;
  const [{ PackedFiles }, { FsProjectFiles }] = await Promise.all([
    import("../artifacts/store/packed-files.ts"),
    import("../files/backends/fs/fs-project-files.ts"),
  ]);
  const files = new PackedFiles(new FsProjectFiles(dataFolder, { maxFileBytes: 8 * 1024 ** 3, ripgrep: false }), vault);
  let isWhole = true;
  for (const root of [incomingRoot, artifactRoot]) {
    // By listing: a walk does not show what is being written.
    for await (const path of filesIn(files, root)) {
      try {
        if (await files.isCurrent(path)) continue;
        const isNamed = root === artifactRoot && !path.slice(path.lastIndexOf("/") + 1).startsWith(".");
        if (isNamed) await files.renew(path);
        else if (nowMs - (await files.metadata(path)).mtimeMs > abandonedMs) await files.delete(path);
        else isWhole = false;
      } catch (error) {
        if (isArtifactError(error, "locked")) throw vault.lockedBy() ?? error;
        if (isArtifactError(error, "corrupt")) {
          // What cannot be read any more is no use to anybody, and may hold what is to be encrypted.
          await files.delete(path);
          continue;
        }
        // Removed meanwhile.
        if (!isProjectFilesError(error, "NotFound")) throw error;
      }
    }
  }
  return isWhole;
}

async function* filesIn(files: PackedFiles, folder: string): AsyncGenerator<string> {
  if (!(await files.exists(folder))) return;
  for (const { path, kind } of await files.listDir(folder)) {
    const inner = `${folder}/${path}`;
    if (kind === "directory") yield* filesIn(files, inner);
    else if (kind === "file") yield inner;
  }
}
