import { FsProjectFiles } from "../files/backends/fs/fs-project-files.ts";
import type { TimeAndIds } from "../time-and-ids.ts";
import { Artifacts } from "./artifacts.ts";

/** The artifacts of a data folder: under `runtime/` in it. @throws ProjectFilesError when the folder cannot be opened */
export function openArtifacts(dataFolder: string, { now, newId }: TimeAndIds): Artifacts {
  return new Artifacts({
    files: new FsProjectFiles(dataFolder, { maxFileBytes: 8 * 1024 ** 3, ripgrep: false }),
    now,
    newId,
  });
}
