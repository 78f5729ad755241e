import path from "node:path";

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

/** Whether a folder is where programs keep what is theirs, or lies in it: shown, and no place for new things of a person's. @param folder absolute */
export const isOfPrograms = (folder: string): boolean => programFolders.has(topOf(folder));
