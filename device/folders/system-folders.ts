import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { liesIn, realPlace } from "../files/place/data-folder-place.ts";

/** What belongs to the system and to nobody (FHS 3.0 §3, and macOS). */
const systemFolders: ReadonlySet<string> = new Set(
  [
    "bin",
    "boot",
    "dev",
    "etc",
    "lib",
    "lib32",
    "lib64",
    "proc",
    "run",
    "sbin",
    "sys",
    "usr",
    "System",
    "Library",
    "private",
  ].map((name) => `/${name}`),
);
/** What programs keep (FHS 3.0 §5). Web sites and repositories are there too. */
const programFolders: ReadonlySet<string> = new Set(["/var"]);

const topOf = (folder: string): string => `/${folder.split(path.sep)[1] ?? ""}`;

/** Whether a folder is the system's or lies in it: neither shown nor chosen. @param folder absolute */
export const isOfSystem = (folder: string): boolean => systemFolders.has(topOf(folder));

/**
 * Whose a folder is by where it lies, by way of links too, when it is no person's: nothing of the system is chosen for anything, and what
 * is of programs is no place for new things of a person's. Homes, and on macOS temporary folders, may lie in such places.
 *
 * @param folder absolute
 * @returns undefined where it may be a person's
 */
export function othersPlace(folder: string): "system" | "programs" | undefined {
  const { root } = path.parse(folder);
  if ([homedir(), tmpdir()].some((own) => !liesIn(root, own) && liesIn(folder, own))) return undefined;
  const places = [folder, realPlace(folder)];
  if (places.some(isOfSystem)) return "system";
  return places.some((place) => programFolders.has(topOf(place))) ? "programs" : undefined;
}
