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

/**
 * How a call may have ended that brought nothing about: codes of files (device/access/errors.ts) and of what agents ask
 * (device/actions/action-result.ts), and how a tool of the person's ended (device/workspace/subprocess.ts).
 */
export const knownEnds = [
  ...(["unknown_tool", "invalid_arguments", "denied", "approval_refused", "budget_exceeded", "no_permission"] as const),
  ...(["read_only", "not_found", "folder_not_found", "not_a_file", "not_a_directory", "already_exists"] as const),
  ...(["outside_root", "invalid_path", "binary_file", "too_large", "unencodable", "patch_malformed"] as const),
  ...(["patch_empty", "no_match", "ambiguous_match", "overlapping_edits", "already_applied", "placeholder"] as const),
  ...(["redaction_sentinel", "conflict", "unread", "version_unknown", "version_pruned", "pattern_refused"] as const),
  ...(["write_failed", "disk_full", "recovery_needed", "busy", "storage_failed", "not_indexed"] as const),
  ...(["summary_unavailable", "audit_broken", "no_project", "cancelled", "internal", "undone"] as const),
  ...(["action_unknown", "folder_not_linked", "access_denied", "file_not_found", "suggestion_unknown"] as const),
  ...(["unreadable", "refused", "started", "failed", "signalled", "timed-out", "wrote-too-much"] as const),
  "not-started",
] as const;

/** Of what has not come to nothing: it went well, or goes on. */
const harmless: readonly string[] = ["ok", "started", "exit 0"];

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

/** Whether a call came to nothing, by how it ended. */
export const cameToNothing = (outcome: string): boolean => !harmless.includes(outcome);

/** How a call ended, in words; undefined for a code that only the device has words for. */
export function knownEndText(outcome: string, t: TFunction): string | undefined {
  const exit = /^exit (\d+)$/.exec(outcome)?.[1];
  if (exit !== undefined) return t("calls.exit", { exit });
  const known = knownEnds.find((each) => each === outcome);
  return known === undefined ? undefined : t(`calls.nothing.${known}`);
}
