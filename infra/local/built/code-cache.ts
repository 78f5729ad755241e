import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Where V8 keeps what it has compiled: a folder of this account's own. Node takes `node-compile-cache` of the temporary folder, which
 * is one for all accounts of the machine, and runs what lies there without asking who wrote it: whoever makes that folder first may
 * have everybody's programs do what they like.
 *
 * @param parent where anybody may make a folder, and nobody can rename another's
 * @returns undefined where the folder is another's, or open to others: then all is compiled anew, which takes longer and nothing else
 */
export function codeCacheFolder(parent = tmpdir()): string | undefined {
  const own = process.getuid?.();
  // Windows has a temporary folder for each account.
  if (own === undefined) return join(parent, "scouts-code");
  const folder = join(parent, `scouts-code-${own}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It is there already, or cannot be made; what is there now is looked at.
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() && found.uid === own && (found.mode & 0o077) === 0 ? folder : undefined;
}
