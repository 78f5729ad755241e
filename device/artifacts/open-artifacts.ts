import { readPersonalConfig } from "../config/personal-config.ts";
import { FsProjectFiles } from "../files/backends/fs/fs-project-files.ts";
import type { TimeAndIds } from "../time-and-ids.ts";
import type { Vault } from "../vault/vault.ts";
import { Artifacts } from "./artifacts.ts";
import { PackedFiles } from "./store/packed-files.ts";
import { defaultRetention } from "./store/retention.ts";

const dayMs = 24 * 3_600_000;
const megabyte = 1024 * 1024;

/**
 * The artifacts of a data folder, kept as the person has set it: under `runtime/` in it, compressed, and encrypted while there is a
 * passphrase.
 *
 * @throws ProjectFilesError when the folder cannot be opened; DeviceError `config_unreadable`
 */
export function openArtifacts(dataFolder: string, { now, newId }: TimeAndIds, vault: Vault): Artifacts {
  const files = new FsProjectFiles(dataFolder, { maxFileBytes: 8 * 1024 ** 3, ripgrep: false });
  const { preset, perAgent, perTool, windowTokens, templates, ...keep } = readPersonalConfig(dataFolder).artifacts;
  return new Artifacts({
    thresholds: { preset, perAgent, perTool },
    windowTokens,
    templates,
    retention: {
      maxAgeMs: keep.keepDays === undefined ? defaultRetention.maxAgeMs : keep.keepDays * dayMs,
      maxTotalBytes: keep.keepMegabytes === undefined ? defaultRetention.maxTotalBytes : keep.keepMegabytes * megabyte,
    },
    files,
    content: new PackedFiles(files, vault),
    now,
    newId,
  });
}
