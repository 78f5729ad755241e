import type { DeviceActionName } from "../../../../events/agent-tools/actions.ts";

/** Things an agent asks of the device, each of which has words of its own here. */
export const knownActions = [
  ...(["list_projects_with_folder_manifests", "read_project_folder_manifest", "list_projects", "list_files"] as const),
  ...(["read_project_folder_file", "read_lines", "search_content", "grep_files", "read_item"] as const),
  ...(["list_pending_scout_suggestions", "read_suggestion", "list_tasks", "list_events", "search_notes"] as const),
  ...(["run_tool", "recall", "read_attachments"] as const),
  ...(["artifact_list", "artifact_read", "artifact_grep", "artifact_query"] as const),
] as const satisfies readonly DeviceActionName[];
