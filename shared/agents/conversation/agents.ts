import type { DeviceActionName } from "../../../events/actions.ts";
import type { AgentName } from "../../../events/agents.ts";
import type { ProjectId } from "../../../events/ids.ts";
import type { Prompt } from "../../llm/prompt.ts";
import { agentBrief } from "../../llm/prompts/agent-brief.ts";
import { agentHome } from "../../llm/prompts/agent-home.ts";
import { agentTaskBrief } from "../../llm/prompts/agent-task-brief.ts";

export const agentPrompts: Readonly<Record<AgentName, Prompt>> = {
  home: agentHome,
  brief: agentBrief,
  task_brief: agentTaskBrief,
};

/** What a run asks of the device before it asks the model anything. */
export interface FirstHop {
  readonly action: DeviceActionName;
  readonly data: Readonly<Record<string, string>>;
}

/** The list of files a run begins with: of all projects for `brief`, of its project for the others, or none. */
export function firstHopOf(agent: AgentName, project: ProjectId | undefined): FirstHop | undefined {
  if (agent === "brief") return { action: "list_projects_with_folder_manifests", data: {} };
  return project === undefined ? undefined : { action: "read_project_folder_manifest", data: { project_id: project } };
}
