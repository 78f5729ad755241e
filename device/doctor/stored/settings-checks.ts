import { existsSync } from "node:fs";
import { type ConfigProblem, checkPersonalConfig, checkProjectConfig } from "../../config/check-config.ts";
import { personalConfigFile } from "../../config/personal-config.ts";
import { openFolder } from "../../files/place/folder-place.ts";
import type { TimeAndIds } from "../../time-and-ids.ts";
import type { Check } from "../checks.ts";
import { found } from "../findings.ts";
import { linkedProjects } from "./linked-projects.ts";

const name = "settings";

/**
 * What is wrong with the person's settings and with those that linked folders bring (`scouts config check` says it in full);
 * nothing where nobody has said any and no folder is closed. A folder that is away is a check of its own.
 */
export async function checkSettings(dataFolder: string, timeAndIds: TimeAndIds): Promise<Check[]> {
  const linked = linkedProjects(dataFolder, timeAndIds);
  const ofProjects = await Promise.all(
    linked.map(({ folderPath }) => checkProjectConfig(folderPath, () => openFolder(folderPath))),
  );
  const own = checkPersonalConfig(dataFolder);
  const checks = [
    ...ofFile(own),
    ...ofProjects
      .flat()
      .filter(({ closes }) => closes)
      .map(closed),
  ];
  if (checks.length > 0) return checks;
  const file = personalConfigFile(dataFolder);
  return existsSync(file) ? [{ name, state: "ok", ...found("settings_ok", { file }) }] : [];
}

/** One finding about one file, however much is wrong in it. */
function ofFile(problems: readonly ConfigProblem[]): Check[] {
  const [first] = problems;
  if (first === undefined) return [];
  const isClosed = problems.some(({ closes }) => closes);
  return isClosed
    ? [{ name, state: "fail", ...found("settings_unreadable", { file: first.where }) }]
    : [{ name, state: "note", ...found("settings_idle", { file: first.where }) }];
}

const closed = ({ where }: ConfigProblem): Check => ({
  name,
  state: "fail",
  ...found("settings_project", { folder: where }),
});
