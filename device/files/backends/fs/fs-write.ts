import type { Stats } from "node:fs";
import { type FileHandle, link, open, rename, unlink } from "node:fs/promises";
import { ProjectFilesError } from "../../errors.ts";
import { joinPath } from "../../paths/project-path.ts";
import type { WriteOptions } from "../../project-files.ts";
import { refuseReadOnly } from "../../read-only-file.ts";
import { createFlags, type FsDirectory, overwriteFlags } from "./fs-directory.ts";
import { fromSystem, systemCode } from "./fs-errors.ts";
import { versionOf } from "./fs-metadata.ts";
import { temporaryName } from "./temporary-name.ts";

/** `durable`: flush before the file takes its name. */
export interface FsWriteOptions extends WriteOptions {
  durable: boolean;
}

/** Replaces or creates `name` in an opened directory; see `ProjectFiles.write` for what is kept. */
export async function writeInto(
  directory: FsDirectory,
  name: string,
  bytes: Uint8Array,
  options: FsWriteOptions,
): Promise<void> {
  const path = joinPath(directory.path, name);
  const before = directory.stat(name);
  if (before !== undefined && !before.isFile()) throw new ProjectFilesError("NotAFile", { path });
  checkVersion(before, options.ifVersion, path);
  refuseReadOnly(path, before?.mode, options);
  try {
    if (before !== undefined && before.nlink > 1) await overwrite(directory, name, bytes, before, options);
    else await replace(directory, name, bytes, before, options);
  } catch (error) {
    throw fromSystem(error, path);
  }
}

/**
 * Refuses to write over a file that is another than the caller has seen.
 *
 * @param stats of the file now; undefined: there is none
 * @param ifVersion as {@link versionOf} tells it; null: no file must be there; undefined: any will do
 * @throws ProjectFilesError `Conflict`
 */
export function checkVersion(stats: Stats | undefined, ifVersion: string | null | undefined, path: string): void {
  if (ifVersion === undefined) return;
  const holds = ifVersion === null ? stats === undefined : stats !== undefined && versionOf(stats) === ifVersion;
  if (!holds) throw new ProjectFilesError("Conflict", { path });
}

/** New bytes go to a file beside, are flushed, and take the name in one step, rename(2). */
async function replace(
  directory: FsDirectory,
  name: string,
  bytes: Uint8Array,
  before: Stats | undefined,
  options: FsWriteOptions,
): Promise<void> {
  const temporary = directory.child(temporaryName());
  const handle = await open(temporary, createFlags, 0o666);
  try {
    let keepsOwner: boolean;
    try {
      keepsOwner = await takeOwner(handle, before);
      const mode = options.mode ?? (before === undefined ? undefined : before.mode & 0o7777);
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(bytes);
      if (options.durable) await handle.sync();
    } finally {
      await handle.close();
    }
    directory.verify();
    if (before !== undefined && !keepsOwner) await overwrite(directory, name, bytes, before, options);
    else if (options.ifVersion === null) {
      // link(2) refuses atomically when the name has been taken meanwhile; rename would replace.
      await link(temporary, directory.child(name));
    } else {
      checkVersion(directory.stat(name), options.ifVersion, joinPath(directory.path, name));
      await rename(temporary, directory.child(name));
      return;
    }
    await unlink(temporary);
  } catch (error) {
    await unlink(temporary).catch((failure: unknown) => {
      if (systemCode(failure) !== "ENOENT") throw failure;
    });
    throw error;
  }
}

/** False when the file belongs to someone whose ownership we may not hand on. */
async function takeOwner(handle: FileHandle, before: Stats | undefined): Promise<boolean> {
  if (before === undefined || process.platform === "win32") return true;
  const own = await handle.stat();
  if (own.uid === before.uid && own.gid === before.gid) return true;
  try {
    await handle.chown(before.uid, before.gid);
    return true;
  } catch (error) {
    if (systemCode(error) !== "EPERM") throw error;
    return false;
  }
}

/** Keeps the inode, and with it other hard links and the owner. */
async function overwrite(
  directory: FsDirectory,
  name: string,
  bytes: Uint8Array,
  before: Stats,
  { ifVersion, mode, durable }: FsWriteOptions,
): Promise<void> {
  const path = joinPath(directory.path, name);
  const handle = await open(directory.child(name), overwriteFlags);
  try {
    directory.verify();
    const now = await handle.stat();
    if (now.ino !== before.ino || now.dev !== before.dev || !now.isFile()) {
      throw new ProjectFilesError("Conflict", { path });
    }
    // Another program may have written since it was looked at: into the very file, which no name tells.
    checkVersion(now, ifVersion, path);
    let written = 0;
    while (written < bytes.length) {
      written += (await handle.write(bytes, written, bytes.length - written, written)).bytesWritten;
    }
    await handle.truncate(bytes.length);
    if (mode !== undefined) await handle.chmod(mode);
    if (durable) await handle.sync();
  } finally {
    await handle.close();
  }
}
