import type { AccessErrorCode } from "../access/errors.ts";
import type { ActionErrorCode } from "../actions/action-result.ts";

/** How a tool of the person's ended where it brought nothing about, and what became of a change that was interrupted. */
type ToolEnd = "undone" | "started" | "failed" | "signalled" | "timed-out" | "wrote-too-much" | "not-started";

/** A way a call may have ended without bringing anything about. */
export type KnownEnd = AccessErrorCode | ActionErrorCode | ToolEnd;

/** Each in words, as the terminal says them; the console's English catalogue says the same. */
export const endWords: Readonly<Record<KnownEnd, string>> = {
  action_unknown: "it may not ask for that here",
  invalid_arguments: "it did not say what was needed",
  folder_not_linked: "the project has no folder on this device",
  folder_not_found: "the project's folder is not there",
  access_denied: "your rules let no agent see that",
  file_not_found: "there is no such file",
  suggestion_unknown: "this device has no such message",
  unreadable: "no text can be read there",
  refused: "the device refused it",
  internal: "something unexpected went wrong on the device",
  unknown_tool: "there is no such tool",
  denied: "your rules do not allow it",
  approval_refused: "it was not given the yes it needs",
  budget_exceeded: "its session has used what it may",
  no_permission: "the permissions there do not let Scouts do that",
  read_only: "the project is linked for reading only",
  not_found: "there is no such file or folder",
  not_a_file: "there is no ordinary file there",
  not_a_directory: "there is no folder there",
  already_exists: "there is a file there already",
  outside_root: "it leads out of the project",
  invalid_path: "that is no usable path",
  binary_file: "the file is not text",
  too_large: "that is larger than the limit",
  unencodable: "the file's encoding cannot hold the text",
  patch_malformed: "the change could not be understood",
  patch_empty: "it would have changed nothing",
  no_match: "the lines to be changed are not in the file",
  ambiguous_match: "the lines to be changed are in the file more than once",
  overlapping_edits: "two parts of the change were about the same lines",
  already_applied: "the file was like that already",
  placeholder: "the text left out lines and said so in a comment",
  redaction_sentinel: "the text had a mark that stands for credentials",
  conflict: "the file had changed meanwhile",
  unread: "it had not read the file it was to replace",
  version_unknown: "there is no such version",
  version_pruned: "that version is kept no more",
  pattern_refused: "the search pattern was not accepted",
  write_failed: "it could not be written, and nothing was changed",
  disk_full: "the disk was full",
  recovery_needed: "a change before it was interrupted and could not be undone yet",
  busy: "another program was changing the project",
  storage_failed: "the storage failed",
  not_indexed: "the folder has no search index",
  summary_unavailable: "no summary could be made",
  audit_broken: "the audit trail is damaged",
  no_project: "no project was open",
  cancelled: "cancelled",
  undone: "it was interrupted, and put back",
  started: "begun",
  failed: "it could not be run",
  signalled: "it was killed",
  "timed-out": "it took too long",
  "wrote-too-much": "it wrote more than it may",
  "not-started": "its program could not be begun",
};

const isKnown = (outcome: string): outcome is KnownEnd => Object.hasOwn(endWords, outcome);

/** How a call ended, in words: `ok` of one that went well, and a code that nobody has words for as it is. */
export function endText(outcome: string): string {
  if (isKnown(outcome)) return endWords[outcome];
  return outcome.replace(/^exit (?=\d+$)/, "ended with exit code ");
}
