import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import type { FileVersion } from "../../store/access-store.ts";
import type { ToolCall } from "../tool-call.ts";

export interface FileHistoryResult {
  readonly path: string;
  /** Newest first. */
  readonly versions: readonly (FileVersion & {
    /** The content is still kept, so it can be shown and rolled back to. */
    readonly kept: boolean;
  })[];
}

/**
 * The versions of a file that this device has made or recorded; an empty list for a file without any. Hashes are as
 * {@link ToolCall.nameOf} tells them, and a `hash` of null means that the file was not there. No content is given, so
 * nothing is charged to the session.
 *
 * @throws ProjectFilesError `OutsideRoot`, `InvalidPath`
 */
export async function fileHistory(call: ToolCall, input: FileToolInput<"file_history">): Promise<FileHistoryResult> {
  const path = await call.canonical(input.path);
  const { versions, contents } = call.kit.store;
  const listed = versions.list(path, input.limit);
  return {
    path,
    versions: listed.map((version) => ({
      ...version,
      hash: version.hash === null ? null : call.nameOf({ hash: version.hash }),
      beforeHash: version.beforeHash === null ? null : call.nameOf({ hash: version.beforeHash }),
      kept: version.hash === null || contents.storedBytes(version.hash) !== undefined,
    })),
  };
}
