import { isProjectFilesError } from "../files/errors.ts";
import type { ProjectFiles } from "../files/project-files.ts";

/**
 * What an agent is not shown, as in a scan, although other models may read it by its name: what `.gitignore` names. What the
 * person keeps from all models the file access refuses.
 */
export interface HiddenFiles {
  /** Those of some paths at which there are files that are to be kept from agents. */
  among(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

/** The folder is walked when first needed, and once more for paths that were not there then. */
export function hiddenFiles(files: ProjectFiles): HiddenFiles {
  let shown: ReadonlySet<string> | undefined;

  const walk = async (): Promise<ReadonlySet<string>> => {
    const paths = new Set<string>();
    for await (const { path } of files.walk()) paths.add(path);
    return paths;
  };

  return {
    async among(paths) {
      const present = (await Promise.all(paths.map((path) => presentFile(files, path)))).filter(
        (each) => each !== undefined,
      );
      const unseen = (walked: ReadonlySet<string>) => present.filter(({ canonical }) => !walked.has(canonical));
      shown ??= await walk();
      if (unseen(shown).length > 0) shown = await walk();
      return new Set(unseen(shown).map(({ path }) => path));
    },
  };
}

/** Undefined for what cannot be read for another reason: whoever reads it is told which. */
async function presentFile(files: ProjectFiles, path: string) {
  try {
    const canonical = await files.canonical(path);
    return (await files.metadata(canonical)).kind === "file" ? { path, canonical } : undefined;
  } catch (error) {
    if (!isProjectFilesError(error, "OutsideRoot", "InvalidPath", "NotFound", "NotADirectory", "RootGone")) throw error;
    return undefined;
  }
}
