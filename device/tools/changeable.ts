import { isAccessError } from "../access/errors.ts";
import type { OpenProject } from "../access/open-project.ts";
import { decide } from "../access/policy/decide.ts";
import { ProjectRules } from "../access/policy/project-rules.ts";
import { personalRules } from "../config/personal-config.ts";

/**
 * Which files rules leave to be changed at all, in a project's folder as it is now: the person's denials and the project's hold for
 * tools too. Where the project's cannot be understood, none.
 */
export async function changeableIn(
  { root, access }: OpenProject,
  dataFolder: string,
): Promise<(path: string) => boolean> {
  const { files } = access.kit;
  try {
    const rules = await new ProjectRules(files, personalRules(dataFolder, root), dataFolder).current();
    return (path) => decide("write", path, { rules, foldsCase: files.folding.foldsCase }).verdict !== "deny";
  } catch (error) {
    if (!isAccessError(error, "denied")) throw error;
    return () => false;
  }
}
