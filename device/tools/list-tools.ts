import type { Project } from "../store/folder-schema.ts";
import type { ToolDefinition } from "../workspace/tool-definition.ts";
import { broughtToolLists } from "./brought-lists.ts";
import { keptRuns } from "./kept-runs.ts";
import { openFolder, type ToolSetting } from "./run-tool.ts";
import { readToolList, type ToolOffer } from "./tool-list.ts";

export interface ListedTools {
  readonly tools: readonly ToolDefinition[];
  readonly offers: readonly ToolOffer[];
  readonly isConfirmed: boolean;
  /** Lists that a project brings and that are not read. */
  readonly ignored: readonly string[];
  /** What a person is to know, as sentences. */
  readonly notices: readonly string[];
}

/** The tools that may be run in a project (null: all there are), with what a person is to know. @throws DeviceError as `readToolList`, `openFolder` */
export async function listTools(project: Project | null, setting: ToolSetting): Promise<ListedTools> {
  const { tools, offers, isConfirmed } = readToolList(setting);
  const isHere = (id: string | null | undefined) => project === null || id === undefined || id === project.id;
  const ignored = project === null ? [] : await broughtIn(project, setting);
  return {
    tools: tools.filter((tool) => isHere(tool.project)),
    offers: offers.filter((offer) => isHere(offer.projectId ?? undefined)),
    isConfirmed,
    ignored,
    notices: [
      ...(isConfirmed
        ? []
        : ["This list was not written by this account, so nothing of it is run. If it is yours: scouts tool confirm"]),
      ...ignored.map(ignoredNotice),
      ...waitingNotices(setting.dataFolder),
    ],
  };
}

/** Lists of tools that a project brings. @throws DeviceError as `openFolder` */
export async function broughtIn(project: Project, setting: ToolSetting): Promise<string[]> {
  if (project.folderPath === null) return [];
  const { access, root, close } = await openFolder(project, setting);
  try {
    return await broughtToolLists(access.kit.files, { dataFolder: setting.dataFolder, root });
  } finally {
    close();
  }
}

/** What a person is told of a list of tools that a project brings. @param path of that list, in the project */
export const ignoredNotice = (path: string): string =>
  `The project brings a list of tools, ${path}. It is not read: only you say what is run, with scouts tool allow.`;

/** Runs whose changes wait, or were interrupted while they were brought in. */
export function waitingNotices(dataFolder: string): string[] {
  return keptRuns(dataFolder).map(({ run: { id, tool, state } }) =>
    state === "applying"
      ? `Bringing in the changes of ${tool} was interrupted; it is gone on with by: scouts tool apply ${id}`
      : `Changes of ${tool} wait for you: scouts tool changes ${id}`,
  );
}
