import type { TFunction } from "i18next";

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

/** Whether a call came to nothing, by how it ended. */
export const cameToNothing = (outcome: string): boolean => !harmless.includes(outcome);

/** How a call ended, in words; undefined for a code that only the device has words for. */
export function knownEndText(outcome: string, t: TFunction): string | undefined {
  const exit = /^exit (\d+)$/.exec(outcome)?.[1];
  if (exit !== undefined) return t("calls.exit", { exit });
  const known = knownEnds.find((each) => each === outcome);
  return known === undefined ? undefined : t(`calls.nothing.${known}`);
}
