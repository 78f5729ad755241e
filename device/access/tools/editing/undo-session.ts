import type { PatchResult } from "../../../../events/agent-tools/patch-result.ts";
import type { AuditRecord } from "../../audit/record.ts";
import type { FileChange } from "../../changes/change-applier.ts";
import { AccessError } from "../../errors.ts";
import type { ToolCall } from "../tool-call.ts";
import { commitEdit } from "./commit-edit.ts";
import { beginningOf } from "./plan-edit.ts";

/** A file before a session changed it, and as the session left it; null: not there. */
interface Changed {
  readonly beforeHash: string | null;
  /** What the file had when the session deleted it; else its permissions are not the session's doing. */
  mode: number | null;
  leftHash: string | null;
  /** Others changed it between two changes of the session: what was before its first has nothing of theirs. */
  hasOthers: boolean;
}

/**
 * Puts all files that a session changed back as they were before its first change. What others have changed since then is not for it to
 * take back: then nothing is done.
 *
 * @throws AccessError `patch_empty` when it changed nothing that is different now, `conflict`, `version_pruned`, and as the gate
 */
export async function undoSession(
  call: ToolCall,
  records: Iterable<AuditRecord>,
  session: string,
): Promise<PatchResult> {
  const changed = filesChangedBy(call, records, session);
  const paths = [...changed.keys()];
  if (paths.length === 0) throw new AccessError("patch_empty", { path: "" });
  await call.enter(paths.map((path) => ({ needs: "write", asked: path })));
  return commitEdit(call, paths, async () => {
    const changes: FileChange[] = [];
    for (const [path, { beforeHash, leftHash, hasOthers, mode }] of changed) {
      const current = await call.find(path);
      const now = current?.hash ?? null;
      if (now === beforeHash) continue;
      if (now !== leftHash || hasOthers)
        throw new AccessError("conflict", {
          path,
          ...(current && { current: beginningOf(current) }),
          ...(now === leftHash && { detail: "Others changed it between the changes of that session." }),
        });
      const bytes = beforeHash === null ? null : call.kit.store.contents.get(beforeHash);
      if (bytes === undefined) throw new AccessError("version_pruned", { path });
      changes.push({ path, before: current, after: bytes && { bytes, ...(mode !== null && { mode }) } });
    }
    if (changes.length === 0) throw new AccessError("patch_empty", { path: paths[0] ?? "" });
    return { changes, notes: ["as before that session"] };
  });
}

function filesChangedBy(call: ToolCall, records: Iterable<AuditRecord>, session: string): Map<string, Changed> {
  const { versions } = call.kit.store;
  const changed = new Map<string, Changed>();
  for (const { session: of, tool, outcome, files } of records) {
    // What it only took into the history was made by others.
    if (of !== session || outcome !== "ok" || tool === "record_changes") continue;
    for (const { path, beforeHash, afterHash, versionId } of files) {
      if (versionId === null) continue;
      const known = changed.get(path);
      const file = known ?? { beforeHash, leftHash: afterHash, hasOthers: false, mode: null };
      if (known === undefined) changed.set(path, file);
      else file.hasOthers ||= beforeHash !== file.leftHash && beforeHash !== file.beforeHash;
      file.leftHash = afterHash;
      if (afterHash === null) file.mode ??= versions.get(versions.get(versionId)?.parentId ?? "")?.mode ?? null;
    }
  }
  return changed;
}
