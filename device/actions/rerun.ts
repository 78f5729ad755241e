import { type FileToolName, fileTools } from "../../events/tools.ts";
import type { Artifacts } from "../artifacts/artifacts.ts";
import type { ArtifactOrigin } from "../artifacts/metadata.ts";
import { callArtifactTool, isArtifactTool } from "../artifacts/tools/artifact-tools.ts";
import { openProject } from "../access/open-project.ts";
import { DeviceError } from "../errors.ts";

export interface RerunSetting {
  readonly artifacts: Artifacts;
  readonly dataFolder: string;
  readonly now: () => number;
}

/**
 * Runs a call again that only reads: a file tool on its project, or a query of an artifact. Nobody is there to approve
 * what the policy asks about, so that is refused.
 *
 * @throws DeviceError `usage` (a tool that is not run from here), `request_refused` (the tool refuses)
 */
export async function rerun(origin: ArtifactOrigin, setting: RerunSetting): Promise<unknown> {
  const { tool, arguments: args = {} } = origin;
  if (isArtifactTool(tool)) return rerunQuery(origin, setting);
  if (!isReadingTool(tool) || origin.projectRoot === undefined) {
    throw new DeviceError("usage", { sentence: `${tool} cannot be run from the command line; ask the agent again.` });
  }
  const { dataFolder, now } = setting;
  const project = await openProject({
    root: origin.projectRoot,
    dataFolder,
    approver: { approve: async () => false },
    now,
  });
  try {
    const outcome = await project.access.call(
      project.access.openSession({ caller: "person", backend: "cloud" }),
      tool,
      args,
    );
    if (outcome.ok) return outcome.result;
    throw new DeviceError("request_refused", { sentence: outcome.error.message });
  } finally {
    project.close();
  }
}

async function rerunQuery(
  { tool, arguments: args, ...ids }: ArtifactOrigin,
  { artifacts }: RerunSetting,
): Promise<unknown> {
  const session = {
    artifacts,
    mayUse: () => true,
    threadId: ids.threadId,
    taskId: ids.taskId,
    newCallId: () => ids.toolCallId,
  };
  const outcome = await callArtifactTool(session, tool, { ...args, maxChars: 100_000 });
  if (!outcome.ok) throw new DeviceError("request_refused", { sentence: outcome.error.message });
  const { text = "null", facts } = outcome.result;
  const stored = facts["storedAs"];
  return JSON.parse(typeof stored === "string" ? (await artifacts.read(stored)).toString("utf8") : text);
}

function isReadingTool(name: string): name is FileToolName {
  return (
    Object.hasOwn(fileTools, name) &&
    Object.entries(fileTools).some(([tool, { access }]) => tool === name && access === "read")
  );
}
