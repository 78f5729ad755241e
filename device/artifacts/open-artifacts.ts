import { FsProjectFiles } from "../files/backends/fs/fs-project-files.ts";
import type { TimeAndIds } from "../time-and-ids.ts";
import type { Vault } from "../vault/vault.ts";
import { Artifacts } from "./artifacts.ts";
import { PackedFiles } from "./store/packed-files.ts";

/** The artifacts of a data folder: under `runtime/` in it, compressed, and encrypted while there is a passphrase. @throws ProjectFilesError when the folder cannot be opened */
export function openArtifacts(dataFolder: string, { now, newId }: TimeAndIds, vault: Vault): Artifacts {
  const files = new FsProjectFiles(dataFolder, { maxFileBytes: 8 * 1024 ** 3, ripgrep: false });
  return new Artifacts({
    files,
    content: new PackedFiles(files, vault),
    now,
    newId,
  });
}
