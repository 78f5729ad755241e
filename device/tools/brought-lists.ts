import { realpathSync } from "node:fs";
import { resolve, sep } from "node:path";
import { isAccessError } from "../access/errors.ts";
import { ProjectRules } from "../access/policy/project-rules.ts";
import { policyFile } from "../access/policy/rules.ts";
import { isProjectFilesError } from "../files/errors.ts";
import type { ProjectFiles } from "../files/project-files.ts";

/** Where a project could bring a list of tools, had anybody told it that it may. */
const places = ["scouts-tools.json", ".scouts-tools.json", ".scouts/tools.json", ".scouts/device/tools.json"];

/**
 * Lists of tools that lie in a project: whoever wrote the project wrote them, so they are not read, and the person is told.
 *
 * @param root absolute; undefined for files that are no folder of this machine
 */
export async function broughtToolLists(
  files: ProjectFiles,
  { dataFolder, root }: { readonly dataFolder: string; readonly root: string | undefined },
): Promise<string[]> {
  const own = realpathSync(dataFolder);
  const brought: string[] = [];
  for (const path of places) {
    if (root !== undefined && resolve(root, path).startsWith(`${own}${sep}`)) continue;
    try {
      if (await files.exists(path)) brought.push(path);
    } catch (error) {
      // A link that leads out of the project is not looked behind.
      if (!isProjectFilesError(error)) throw error;
    }
  }
  return (await asksForTools(files)) ? [...brought, policyFile] : brought;
}

/** The project's own configuration may ask for tools as well; it may not have any. */
async function asksForTools(files: ProjectFiles): Promise<boolean> {
  try {
    return (await new ProjectRules(files, [], undefined).project())?.notObeyed.includes("tools") === true;
  } catch (error) {
    // One that cannot be understood gives nothing.
    if (!isAccessError(error, "denied")) throw error;
    return false;
  }
}
