import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import type { PatchResult } from "../../../../events/agent-tools/patch-result.ts";
import { AccessError } from "../../errors.ts";
import type { ToolCall } from "../tool-call.ts";
import { commitEdit } from "./commit-edit.ts";
import { versionOf } from "./get-diff.ts";
import { beginningOf } from "./plan-edit.ts";

/**
 * Gives a file the content of an earlier version, as a new version of its own. A version without the file deletes it.
 * An editor names the content it has seen in `baseHash`; for a model that is its choice.
 *
 * @throws AccessError `version_unknown`, `version_pruned`, `conflict` (it is not the content `baseHash` names),
 * `patch_empty` (the file is so already), `denied`; also those of {@link ToolCall.find} and {@link commitEdit}
 */
export async function rollback(call: ToolCall, input: FileToolInput<"rollback">): Promise<PatchResult> {
  const path = await call.canonical(input.path);
  const version = versionOf(call, path, input.versionId);
  const bytes = await call.contentOf(version);
  return commitEdit(call, [path], async () => {
    const current = await call.find(path);
    // An editor that names no content has seen that there is no file.
    if (call.session.isEditor && input.baseHash === undefined && current !== null) {
      throw new AccessError("conflict", { path, current: beginningOf(current) });
    }
    if (input.baseHash !== undefined && call.hashNamed(input.baseHash, path, current) !== current?.hash) {
      throw new AccessError("conflict", { path, ...(current && { current: beginningOf(current) }) });
    }
    if ((current?.hash ?? null) === version.hash) throw new AccessError("patch_empty", { path });
    const mode = version.mode === null || current !== null ? {} : { mode: version.mode };
    return { changes: [{ path, before: current, after: bytes && { bytes, ...mode } }], notes: [`as in ${version.id}`] };
  });
}
