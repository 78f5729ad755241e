import type { TFunction } from "i18next";
import { line } from "../app/shown-text.ts";

/** Tools that stand in an audit trail, each of which has words of its own here. */
export const knownTools = [
  ...(["list_files", "read_file", "read_lines", "get_excerpt", "grep_files", "search_content", "write_file"] as const),
  ...(["apply_patch", "get_diff", "file_history", "summarize_file", "rollback", "record_changes"] as const),
  ...(["list_projects_with_folder_manifests", "read_project_folder_manifest", "list_projects"] as const),
  ...(["read_project_folder_file", "read_item", "list_pending_scout_suggestions", "read_suggestion"] as const),
  ...(["list_tasks", "list_events", "search_notes", "run_tool", "read_attachments", "recall"] as const),
  ...(["artifact_list", "artifact_read", "artifact_grep", "artifact_query"] as const),
  ...(["session_status", "set_tasks", "ask", "search", "list_proposals", "audit_rotate", "observed"] as const),
] as const;

/** Before the name of a tool that the person offers (device/tools/run-tool.ts). */
const ofPerson = "tool:";

/** As `attachmentKinds` of the device. */
const attachedKinds = ["file", "https", "mcp", "proposal", "tool"] as const;

/** Who is no program with a name: the person, what changed a file outside, and agents, which stand there with `agent:`. */
export const knownCallers = ["person", "attach", "disk", "home", "brief", "task_brief", "categorize"] as const;

/** Who has done something: a program by its own name, the person as one speaks to them. */
export function callerText(caller: string, t: TFunction): string {
  const known = knownCallers.find((each) => each === caller.replace(/^agent:/, ""));
  return known === undefined ? line(caller) : t(`calls.by.${known}`);
}

/** What was asked for, in words; undefined for a name that this page does not know, as anybody may send one. */
export function knownToolText(tool: string, t: TFunction): string | undefined {
  if (tool.startsWith(ofPerson)) return t("calls.ownTool", { name: line(tool.slice(ofPerson.length)) });
  const attached = attachedKinds.find((each) => tool === `attach:${each}`);
  if (attached !== undefined) return t(`calls.attach.${attached}`);
  const known = knownTools.find((each) => each === tool);
  return known === undefined ? undefined : t(`calls.tool.${known}`);
}

/** The same, and a name that is not known as it is. */
export const toolText = (tool: string, t: TFunction): string => knownToolText(tool, t) ?? line(tool);
