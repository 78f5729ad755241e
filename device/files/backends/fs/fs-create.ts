import { link, open, rename, unlink } from "node:fs/promises";
import { joinPath } from "../../paths/project-path.ts";
import { createFlags, type FsDirectory } from "./fs-directory.ts";
import { fromSystem, systemCode } from "./fs-errors.ts";
import { temporaryName } from "./temporary-name.ts";

/**
 * Makes `name` in an opened directory from pieces: they go to a file beside, are flushed, and take the name with link(2),
 * which refuses atomically when it has been taken, or with rename(2), where they are to replace what is there. What `pieces` throws
 * passes through.
 */
export async function createInto(
  directory: FsDirectory,
  name: string,
  pieces: AsyncIterable<Uint8Array>,
  { mode = 0o666, durable, replaces = false }: { mode?: number; durable: boolean; replaces?: boolean },
): Promise<void> {
  const temporary = directory.child(temporaryName());
  let sourceFailure: { readonly error: unknown } | undefined;
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* pieces;
    } catch (error) {
      sourceFailure = { error };
      throw error;
    }
  }
  try {
    const handle = await open(temporary, createFlags, mode);
    try {
      await handle.writeFile(watched());
      if (durable) await handle.sync();
    } finally {
      await handle.close();
    }
    directory.verify();
    if (replaces) await rename(temporary, directory.child(name));
    else await link(temporary, directory.child(name));
  } catch (error) {
    throw sourceFailure === undefined ? fromSystem(error, joinPath(directory.path, name)) : sourceFailure.error;
  } finally {
    await unlink(temporary).catch((failure: unknown) => {
      if (systemCode(failure) !== "ENOENT") throw failure;
    });
  }
}
