import type { DeviceActionName } from "../../../events/actions.ts";
import type { AgentName, Exchanges } from "../../../events/agents.ts";
import type { ProjectId } from "../../../events/ids.ts";
import type { Prompt } from "../../llm/prompt.ts";
import { agentBrief } from "../../llm/prompts/agent-brief.ts";
import { agentHome } from "../../llm/prompts/agent-home.ts";
import { agentTaskBrief } from "../../llm/prompts/agent-task-brief.ts";
import { head } from "../../llm/shown-text.ts";

export const agentPrompts: Readonly<Record<AgentName, Prompt>> = {
  home: agentHome,
  brief: agentBrief,
  task_brief: agentTaskBrief,
};

/** What a run asks of the device before it asks the model anything. */
export interface FirstHop {
  readonly action: DeviceActionName;
  readonly data: Readonly<Record<string, string | number>>;
}

/** Files a run is shown passages of before the model is asked: the right one is among the first, or not there. */
const foundFiles = 4;
const maxQueryCharacters = 1_000;

/**
 * What a run begins with: the list of files, of all projects for `brief`, of its project for the others; and what the index
 * of that project has on the person's own words. Nothing without a project.
 */
export function firstHopsOf(
  agent: AgentName,
  project: ProjectId | undefined,
  message: string,
  earlier: Exchanges = [],
): readonly FirstHop[] {
  if (agent === "brief") return [{ action: "list_projects_with_folder_manifests", data: {} }];
  if (project === undefined) return [];
  // "And who pays?" says what it is about by what was asked before.
  const said = [message.trim(), earlier.at(-1)?.question.trim() ?? ""].filter((text) => text !== "");
  const query = head(said.join("\n"), maxQueryCharacters);
  const list: FirstHop = { action: "read_project_folder_manifest", data: { project_id: project } };
  if (query === "") return [list];
  return [list, { action: "search_content", data: { project_id: project, query, limit: foundFiles } }];
}
