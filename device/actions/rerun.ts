import { type FileToolName, fileTools } from "../../events/tools.ts";
import { openProject } from "../access/open-project.ts";
import type { Artifacts, Rerun } from "../artifacts/artifacts.ts";
import { parseExactJson } from "../artifacts/exact-json.ts";
import type { ArtifactOrigin } from "../artifacts/metadata.ts";
import { callArtifactTool, isArtifactTool } from "../artifacts/tools/artifact-tools.ts";
import { DeviceError } from "../errors.ts";
import { Extractor } from "../folders/extraction/extractor.ts";
import { openDeviceStore } from "../store/open.ts";
import type { TimeAndIds } from "../time-and-ids.ts";
import { ActionTable } from "./action-table.ts";
import { openDeviceTrail } from "./device-trail.ts";
import type { RunArtifacts } from "./run-artifacts.ts";

export interface RerunSetting extends TimeAndIds {
  readonly artifacts: Artifacts;
  readonly dataFolder: string;
}

/**
 * Runs a call again that only reads: an agent's on the device, a file tool's on its project, or a query of an artifact.
 * Nobody is there to approve what the policy asks about, so that is refused.
 *
 * @throws DeviceError `usage` (a tool that is not run from here), `request_refused` (the tool refuses)
 */
export async function rerun(origin: ArtifactOrigin, setting: RerunSetting): Promise<Rerun> {
  if (isArtifactTool(origin.tool)) return rerunQuery(origin, setting);
  if (origin.arguments?.["project_id"] !== undefined) return rerunAction(origin, setting);
  if (isReadingTool(origin.tool) && origin.projectRoot !== undefined) {
    return { result: await rerunFileTool(origin.tool, origin.projectRoot, origin, setting) };
  }
  throw new DeviceError("usage", {
    sentence: `${origin.tool} cannot be run from the command line; ask the agent again.`,
  });
}

async function rerunFileTool(
  tool: FileToolName,
  root: string,
  { arguments: args = {} }: ArtifactOrigin,
  { dataFolder, now, newId }: RerunSetting,
): Promise<unknown> {
  const project = await openProject({ root, dataFolder, approver: { approve: async () => false }, now, newId });
  try {
    const session = project.access.openSession({ caller: "person", backend: "cloud" });
    const outcome = await project.access.call(session, tool, args);
    if (outcome.ok) return outcome.result;
    throw new DeviceError("request_refused", { sentence: outcome.error.message });
  } finally {
    project.close();
  }
}

/** What an agent asked of the device goes through the same table again, and through the rules as they are now. */
async function rerunAction(
  { tool, arguments: args = {} }: ArtifactOrigin,
  { dataFolder, now, newId }: RerunSetting,
): Promise<Rerun> {
  const store = openDeviceStore({ dataFolder, now, newId });
  const { trail, close } = openDeviceTrail(dataFolder, now);
  const extractor = new Extractor();
  let whole: string | undefined;
  const actions = new ActionTable({
    store,
    dataFolder,
    caller: "person",
    session: `rerun_${newId()}`,
    trail,
    now,
    extract: (job) => extractor.extract(job),
    artifacts: wholeOnly((text) => {
      whole = text;
    }),
  });
  try {
    const { text, error, filesRead = [] } = await actions.run(tool, args, newId());
    if (error !== undefined) throw new DeviceError("request_refused", { sentence: text });
    return { result: whole ?? text, files: filesRead };
  } finally {
    await extractor.close();
    actions.close();
    close();
    store.close();
  }
}

/** Takes the whole of a long result instead of storing it: that is what is asked for here. */
function wholeOnly(take: (text: string) => void): RunArtifacts {
  return {
    async keep({ whole, shown }) {
      take(whole.text);
      return shown;
    },
    fill: async (data) => data,
    call: async () => ({ text: "", error: "refused" }),
    end: async () => {},
  };
}

async function rerunQuery(
  { tool, arguments: args, ...ids }: ArtifactOrigin,
  { artifacts }: RerunSetting,
): Promise<Rerun> {
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
  const result = parseExactJson(typeof stored === "string" ? (await artifacts.read(stored)).toString("utf8") : text);
  const { derivedFrom } = ids;
  const files = derivedFrom === undefined ? undefined : (await artifacts.find(derivedFrom)).metadata.origin.files;
  return { result, ...(files && { files }) };
}

function isReadingTool(name: string): name is FileToolName {
  return (
    Object.hasOwn(fileTools, name) &&
    Object.entries(fileTools).some(([tool, { access }]) => tool === name && access === "read")
  );
}
