import { join } from "node:path";
import * as z from "zod";
import type { ProjectFiles } from "../files/project-files.ts";
import { readPrivateFile, writePrivateFile } from "../private-file.ts";
import { projectConfigVersion, readProjectConfig } from "./project-config.ts";

/** What each project was last told no about, by its place. */
const toldAsks = z.record(z.string(), z.array(z.string()));

/**
 * What a project asks for and may not have, where nobody has been told yet. Being asked counts as being told.
 *
 * @returns names of settings
 */
export async function newAsks(dataFolder: string, root: string, files: ProjectFiles): Promise<readonly string[]> {
  const asked = await asksOf(files);
  const file = join(dataFolder, "device", "config-told.json");
  // What was told is told again at worst.
  const told: z.output<typeof toldAsks> = readPrivateFile(file, toldAsks, () => ({})) ?? {};
  const fresh = asked.filter((name) => told[root]?.includes(name) !== true);
  if (fresh.length > 0) writePrivateFile(file, { ...told, [root]: asked });
  return fresh;
}

async function asksOf(files: ProjectFiles): Promise<readonly string[]> {
  if ((await projectConfigVersion(files)) === undefined) return [];
  try {
    return (await readProjectConfig(files)).notObeyed;
  } catch {
    // A file that cannot be understood closes the project, and every call says so.
    return [];
  }
}
