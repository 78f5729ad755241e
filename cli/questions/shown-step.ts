import { endText } from "../../device/activity/end-words.ts";
import type { AnsweredCall } from "../../device/agent/answer-calls.ts";
import type { DeviceActionName } from "../../events/agent-tools/actions.ts";
import { printable } from "../output/printable.ts";

/** A field of what was asked, harmless to a terminal; empty where there is none. */
type Named = (field: string) => string;

const quoted = (text: string): string => JSON.stringify(text);
const about = (where: string) => (named: Named) =>
  named("query") === "" ? `looked ${where}` : `looked ${where} for ${quoted(named("query"))}`;

/** What was done on the device, as the console says it too. */
const done: Readonly<Record<DeviceActionName, (named: Named) => string>> = {
  list_projects_with_folder_manifests: () => "looked at the list of projects",
  read_project_folder_manifest: () => "looked at the list of files",
  list_projects: () => "looked at your projects",
  list_files: (named) => `listed ${named("path") || "the folder"}`,
  read_project_folder_file: (named) => `read ${named("relative_path")}`,
  read_lines: (named) => `read ${named("path")}, lines ${named("startLine")} to ${named("endLine")}`,
  search_content: (named) => `searched the files for ${quoted(named("query"))}`,
  grep_files: (named) => `searched for ${quoted(named("pattern"))}`,
  read_item: () => "read the item",
  list_pending_scout_suggestions: about("among your messages"),
  read_suggestion: (named) => `looked at the message ${named("id")}`,
  list_tasks: about("among your tasks"),
  list_events: about("among your events"),
  search_notes: about("among your notes"),
  run_tool: (named) => `ran ${named("tool")}, a tool you offer`,
  recall: about("among what it is to remember"),
  read_attachments: () => "looked at what is attached",
  artifact_list: () => "looked at what was kept of earlier results",
  artifact_read: (named) => `read ${named("id")}, a kept result`,
  artifact_grep: (named) => `searched kept results for ${quoted(named("pattern"))}`,
  artifact_query: (named) => `queried ${named("id")}, a kept result`,
};

const isKnown = <T extends object>(words: T, name: string): name is keyof T & string => Object.hasOwn(words, name);

/** What was done here for an answer, and why it came to nothing where it did: `read docs/plan.md`, `searched for "beds"`. */
export function stepLine({ action, data, error }: Pick<AnsweredCall, "action" | "data" | "error">): string {
  const named: Named = (field) => printable(String(data[field] ?? ""));
  const what = isKnown(done, action) ? done[action](named) : `was asked for ${printable(action)}`;
  if (error === undefined) return what;
  return `${what} (came to nothing: ${printable(endText(error))})`;
}
