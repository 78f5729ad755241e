import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { scoutsIgnoreFile } from "../../access/policy/protected.ts";
import { policyFile } from "../../access/policy/rules.ts";
import { personalRules } from "../../config/personal-config.ts";
import { systemCode } from "../../files/backends/fs/fs-errors.ts";
import { isBucketAddress } from "../../files/place/bucket-address.ts";
import { dataFolderIn } from "../../files/place/data-folder-place.ts";

const rulesOfProject = [policyFile, ".git/info/exclude"];
const ignoreFiles = [".gitignore", scoutsIgnoreFile];
/** Longest stretch of work without letting other events in. */
const sliceMs = 8;

/** Every directory on the way to these paths, the root among them. */
export function directoriesOf(paths: Iterable<string>): string[] {
  const directories = new Set([""]);
  for (const path of paths) {
    // From the innermost outwards, up to one that is known, as those above it are.
    for (let at = path.lastIndexOf("/"); at !== -1; at = path.lastIndexOf("/", at - 1)) {
      const directory = path.slice(0, at);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  return [...directories];
}

/**
 * Changes when a rule that decides about what lies in these directories may have. Nothing is opened: one call of the system
 * for each place where an ignore file may be (35 ms for 5,000 directories). In a bucket each would be a request that is paid
 * for, every few seconds: there the person's own rules count, and its files' rules at each scan and for whatever is found.
 */
export async function rulesDigest(
  root: string,
  dataFolder: string,
  directories: readonly string[],
  holds: string,
): Promise<string> {
  const rules = personalRules(dataFolder, root);
  const ownData = isBucketAddress(root) ? undefined : dataFolderIn(root, dataFolder, false);
  const digest = createHash("sha256").update(JSON.stringify([holds, rules, ownData ?? null]));
  if (isBucketAddress(root)) return digest.digest("hex");
  const take = (path: string) => {
    const version = versionOf(join(root, path));
    if (version !== undefined) digest.update(`${path}\n${version}\n`);
  };
  for (const path of rulesOfProject) take(path);
  let sliceEndMs = performance.now() + sliceMs;
  for (const directory of directories) {
    for (const name of ignoreFiles) take(join(directory, name));
    if (performance.now() < sliceEndMs) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    sliceEndMs = performance.now() + sliceMs;
  }
  return digest.digest("hex");
}

/** Undefined where there is none. */
function versionOf(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found && `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code;
  }
}
