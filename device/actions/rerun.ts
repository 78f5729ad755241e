import type { ToolOutcome } from "../access/file-access.ts";
import { openProject } from "../access/open-project.ts";
import { addedFile } from "../artifacts/added-file.ts";
import type { Artifacts, Rerun } from "../artifacts/artifacts.ts";
import { ArtifactError } from "../artifacts/errors.ts";
import { parseExactJson } from "../artifacts/exact-json.ts";
import type { ArtifactOrigin } from "../artifacts/metadata.ts";
import { runAgainOf } from "../artifacts/run-again.ts";
import { callArtifactTool, isArtifactTool } from "../artifacts/tools/artifact-tools.ts";
import { DeviceError } from "../errors.ts";
import { Extractor } from "../folders/extraction/extractor.ts";
import { openDeviceStore } from "../store/open.ts";
import type { TimeAndIds } from "../time-and-ids.ts";
import type { WholeText } from "./action-result.ts";
import { ActionTable } from "./action-table.ts";
import { openDeviceTrail } from "./device-trail.ts";
import { type RunArtifacts, runArtifacts } from "./run-artifacts.ts";

export interface RerunSetting extends TimeAndIds {
  readonly artifacts: Artifacts;
  readonly dataFolder: string;
}

/**
 * Runs a call again that only reads: an agent's on the device, a file tool's on its project, or a query of an artifact.
 * Nobody is there to approve what the policy asks about, so that is refused.
 *
 * @throws ArtifactError `not_regenerable`; DeviceError `request_refused` (the tool refuses), `file_unreadable`
 */
export async function rerun(origin: ArtifactOrigin, setting: RerunSetting): Promise<Rerun> {
  switch (runAgainOf(origin)) {
    case "artifact_tool":
      return rerunArtifactTool(origin, setting);
    case "action":
      return rerunAction(origin, setting);
    case "file_tool":
      return { result: await rerunFileTool(origin, setting) };
    case "added_file":
      return addedFile(String(origin.arguments?.["path"]));
    case undefined:
      throw new ArtifactError("not_regenerable");
  }
}

async function rerunFileTool(
  { tool, projectRoot: root = "", arguments: args = {} }: ArtifactOrigin,
  { dataFolder, now, newId }: RerunSetting,
): Promise<unknown> {
  const project = await openProject({ root, dataFolder, approver: { approve: async () => false }, now, newId });
  try {
    const session = project.access.openSession({ caller: "person", backend: "cloud" });
    const outcome: ToolOutcome = await project.access.call(session, tool, args);
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
  let whole: WholeText | undefined;
  const actions = new ActionTable({
    store,
    dataFolder,
    caller: "person",
    session: `rerun_${newId()}`,
    trail,
    now,
    extract: (job) => extractor.extract(job),
    artifacts: wholeOnly((all) => {
      whole = all;
    }),
  });
  try {
    const { text, error, filesRead = [] } = await actions.run(tool, args, newId());
    if (error !== undefined) throw new DeviceError("request_refused", { sentence: text });
    const { name } = whole ?? {};
    return {
      result: whole?.text ?? text,
      files: filesRead.map(({ path }) => path),
      ...(name !== undefined && { name }),
    };
  } finally {
    await extractor.close();
    actions.close();
    close();
    store.close();
  }
}

/** Takes the whole of a long result instead of storing it: that is what is asked for here. */
function wholeOnly(take: (whole: WholeText) => void): RunArtifacts {
  return {
    async shown({ whole, text }) {
      if (whole !== undefined) take(whole);
      return text;
    },
    fill: async (data) => data,
    call: async () => ({ text: "", error: "refused" }),
    end: async () => {},
  };
}

/** A query gives JSON, which is stored as that; what was read of another artifact or found in some is text. */
async function rerunArtifactTool(
  { tool, arguments: args, ...ids }: ArtifactOrigin,
  { artifacts }: RerunSetting,
): Promise<Rerun> {
  const newCallId = () => ids.toolCallId;
  if (!isArtifactTool(tool)) throw new ArtifactError("not_regenerable");
  if (tool !== "artifact_query") {
    // As the action table has it: facts, then text.
    const answer = await runArtifacts(artifacts, { threadId: ids.threadId, newCallId }).call(tool, args);
    if (answer.error !== undefined) throw new DeviceError("request_refused", { sentence: answer.text });
    return { result: answer.text };
  }
  const session = {
    artifacts,
    mayUse: () => true,
    threadId: ids.threadId,
    taskId: ids.taskId,
    newCallId,
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
