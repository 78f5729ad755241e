import type { FileToolInput } from "../../../../events/tools.ts";
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
