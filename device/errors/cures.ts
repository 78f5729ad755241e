import type { ErrorCode } from "../../events/error-kinds.ts";
import type { DeviceErrorCode } from "../errors.ts";

const list = (words: string, what = "them"): string => `\`scouts ${words} list\` shows ${what}.`;
const versions = "Home and device may be of different versions: update both, and run the same command again.";
const again = "Run the same command again.";
const health = "`scouts health` says how its scout is.";
const model = "`scouts doctor` says what is wrong with it.";

/**
 * What somebody at a terminal does about a failure whose code's own sentence says only what happened: that sentence is the console's
 * as well, which has other means. A more exact sentence says it itself.
 */
const cures: Partial<Record<DeviceErrorCode | ErrorCode, string>> = {
  attachment_address: "Save what is there as a file, and attach that.",
  setting_invalid: "`scouts config show` lists settings and their values.",
  proposal_unknown: list("proposals"),
  proposal_not_found: list("proposals"),
  proposal_decided: "`scouts proposals show` says how.",
  proposal_not_open: "`scouts proposals show` says how it stands.",
  source_in_use: "`scouts list` shows yours.",
  scout_unknown: "`scouts list` shows yours.",
  scout_not_found: "`scouts list` shows yours.",
  scout_disabled: "`scouts health` says it too.",
  scout_deleting: "Wait until it is gone: `scouts list`.",
  project_unknown: list("project"),
  item_unknown: "`scouts spam` shows what was dismissed, `scouts proposals list` the rest.",
  item_gone: "Nothing is left to read; what was proposed of it stays: `scouts proposals list`.",
  item_unreadable: `Open it where it came from. ${health}`,
  task_unknown: list("task"),
  event_unknown: list("event"),
  note_unknown: list("note"),
  person_unknown: list("people"),
  memory_unknown: list("memory"),
  import_invalid: "Check that it is the file you mean, and the form it is said to have.",
  scan_running: `Wait until it is done: ${list("project", "how far it is")}`,
  scan_superseded: list("project", "how it is now"),
  folder_max_files: "Name what is not to be read in a .scoutsignore in that folder, or link a smaller one.",
  folder_monthly_tokens: "The rest is read when the next month begins, without anything to be done.",
  model_unusable: model,
  model_request_refused: model,
  model_unreachable: model,
  model_not_an_api: model,
  model_item_too_long: "Give it less: a part of the text, or fewer files.",
  model_item_invalid: "Leave that text or picture out.",
  frame_too_large: versions,
  frame_invalid: versions,
  invalid_frame: versions,
  invalid_request: versions,
  protocol_unsupported: versions,
  not_found: versions,
  page_incomplete: again,
  device_closed: again,
  session_unknown: again,
  session_ended: again,
  ticket_invalid: again,
  ticket_spent: again,
  conflict: again,
  address_insecure: "Give one that begins with https:// or wss://.",
  request_refused: "`scouts doctor` says what may be wrong.",
  forbidden: "Sign in as somebody who may: scouts login.",
  google_invalid: "Check what was given to the command.",
  google_conflict: "Remove that at Google, or choose another name.",
  source_unreadable: `Check that the address is the one you mean. ${health}`,
  source_rate_limited:
    "A scout that is there goes on by itself; to add one, wait a while and run the same command again.",
  source_quota_spent: "It goes on by itself after a minute.",
  sealed_unreadable: "Restore the whole data folder from a backup: `scouts doctor` says what is wrong.",
};

/** What to do about a failure, where its code's own sentence does not say it. */
export const cureOf = (code: DeviceErrorCode | ErrorCode): string | undefined => cures[code];
