import { type DeviceActionName, deviceActionNames } from "../../../events/agent-tools/actions.ts";
import { askAgent } from "../../agent/ask-agent.ts";
import { filesRead } from "../../agent/files-read.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import { openContentChannel } from "../../connection/content/content-channel.ts";
import type { ConnectionPorts } from "../../connection/ports.ts";
import type { Project } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { KnowledgeParts } from "./knowledge-tools.ts";

export interface AskForClientParts {
  readonly store: DeviceStore;
  readonly api: CloudApi;
  readonly ports: ConnectionPorts;
  readonly project: Project;
  readonly withMail: boolean;
}

/** What a run asks about files, and about what it was shown of them. */
const aboutFiles = [
  ...(["read_project_folder_manifest", "read_project_folder_file", "list_files", "read_lines"] as const),
  ...(["grep_files", "search_content", "artifact_list", "artifact_read", "artifact_grep", "artifact_query"] as const),
] satisfies readonly DeviceActionName[];
/** What names other projects, and what runs programs: that is for the person's own questions. */
const ofPersonOnly: readonly DeviceActionName[] = [
  ...(["list_projects", "list_projects_with_folder_manifests", "run_tool"] as const),
];

/**
 * The person's agent, for a program that serves one project: it sees that project's files and no other's, and, unless the
 * person lets the program have mail, nothing that others wrote to them: their words would come out again in an answer.
 */
export function askForClient({ store, api, ports, project, withMail }: AskForClientParts): KnowledgeParts["ask"] {
  const only = withMail ? deviceActionNames.filter((name) => !ofPersonOnly.includes(name)) : aboutFiles;
  const bounds = { only, onlyProject: project.id, leavesOutAnswers: !withMail };
  return async (question, signal) => {
    const { deviceId } = store.identity.get();
    const { text, status, tokensUsed, calls, evidence, notAllRead } = await askAgent(
      { agent: "home", projectId: project.id, message: question },
      {
        ...{ store, dataFolder: store.dataFolder, clock: ports.clock, signal, bounds },
        openContent: () => openContentChannel({ api, deviceId, ports }),
      },
    );
    const note = notAllRead.length === 0 ? undefined : "Not all of the folder has been read yet.";
    return { text, status, tokensUsed, files: filesRead(calls), quotesMissing: evidence.quotesMissing, note };
  };
}
