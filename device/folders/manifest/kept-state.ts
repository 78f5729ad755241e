import type { FolderFile } from "../../store/folder-schema.ts";
import { waitsForTokens } from "../../store/tables/manifest/file-summaries.ts";

/**
 * How a file stands in the manifest: its summary is there, is about an older content, is yet to come, waits for the month's
 * tokens, failed, or cannot be had.
 */
export const keptStates = ["current", "stale", "pending", "waiting", "failed", "skipped"] as const;
export type KeptState = (typeof keptStates)[number];

/** What {@link keptStateOf} looks at. */
type Stated = Pick<FolderFile, "kind" | "summaryHash" | "contentHash" | "skipReason">;

/**
 * How a file stands. A file with a summary of an older content is `stale`, or `waiting` while the month's tokens are
 * used up.
 */
export function keptStateOf({ kind, summaryHash, contentHash, skipReason }: Stated): KeptState {
  if (kind === "skipped") return "skipped";
  if (kind === "error") return "failed";
  if (skipReason === waitsForTokens && summaryHash !== contentHash) return "waiting";
  if (summaryHash === null) return "pending";
  return summaryHash === contentHash ? "current" : "stale";
}
