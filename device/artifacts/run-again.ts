import { deviceActions } from "../../events/agent-tools/actions.ts";
import { fileTools } from "../../events/agent-tools/file-tools.ts";
import type { ArtifactOrigin } from "./metadata.ts";

/** Of what the person stored themselves: its call is reading that file. */
export const addedTool = "scouts artifacts add";

/** Actions whose answer nobody can give later: the item is at its source, and only while its proposal is asked about. */
const onceOnly: readonly string[] = ["read_item"];

/** How the call that gave an artifact is run again. */
export type RunAgain = "action" | "artifact_tool" | "file_tool" | "added_file";

/**
 * How the call that an artifact came from can be run again from here, changing nothing; undefined when it cannot. Asked before
 * anybody is told how to get an artifact again.
 */
export function runAgainOf({ tool, readOnly, arguments: args, projectRoot }: ArtifactOrigin): RunAgain | undefined {
  if (!readOnly || onceOnly.includes(tool)) return undefined;
  if (tool === addedTool) return typeof args?.["path"] === "string" ? "added_file" : undefined;
  if (tool.startsWith("artifact_") && Object.hasOwn(deviceActions, tool)) return "artifact_tool";
  const isOnProject = args?.["project_id"] !== undefined;
  if (projectRoot !== undefined && !isOnProject && isReadingTool(tool)) return "file_tool";
  return Object.hasOwn(deviceActions, tool) ? "action" : undefined;
}

const isReadingTool = (name: string): boolean =>
  Object.entries(fileTools).some(([tool, { access }]) => tool === name && access === "read");
