import type { PatchResult } from "../../../../events/tools.ts";
import { contentHash } from "../../../files/content-hash.ts";
import type { AuditFile } from "../../audit/record.ts";
import type { FileChange } from "../../changes/change-applier.ts";
import { parseDocument } from "../../edits/lines/document.ts";
import { AccessError, isAccessError } from "../../errors.ts";
import { unifiedDiff } from "../../reading/unified.ts";
import type { FileVersion } from "../../store/access-store.ts";
import { EditConflict, type PlannedEdit } from "./plan-edit.ts";
import type { ToolCall } from "../tool-call.ts";

/** Somebody who keeps changing the file wins after so many tries. */
const maxAttempts = 3;

export interface CommitOptions {
  readonly dryRun?: boolean;
}

/**
 * Makes an edit: planned once to see (and, where the policy says so, ask) what it would do, then again under the locks of
 * its files from what they are then, and written only to exactly that.
 *
 * @param paths canonical, every file the edit may change
 */
export async function commitEdit(
  call: ToolCall,
  paths: readonly string[],
  plan: () => Promise<PlannedEdit>,
  { dryRun = false }: CommitOptions = {},
): Promise<PatchResult> {
  for (const path of paths) call.gate.refuseDenied("write", path);
  const preview = await plan();
  if (dryRun) return result(call, preview, [], "would be");
  for (const change of preview.changes) await call.gate.check("write", change.path, diffOf(call, change));
  await call.allow("writes", preview.changes.length);
  return call.kit.locks.run(paths, () =>
    call.kit.lease.run(async () => {
      for (let attempt = 1; ; attempt++) {
        const planned = await plan();
        refuseOther(call, preview, planned);
        try {
          const context = {
            caller: call.session.caller,
            tool: call.tool,
          };
          const versions = await call.kit.applier.apply(planned.changes, context, (made) => {
            call.touched.splice(0, call.touched.length, ...auditFiles(planned.changes, made));
            call.record("ok");
          });
          await remember(call, planned.changes, versions);
          return result(call, planned, versions, "");
        } catch (error) {
          if (!isAccessError(error, "conflict") || error instanceof EditConflict || attempt === maxAttempts)
            throw error;
        }
      }
    }),
  );
}

/** What a person has approved is what is done, or nothing is. */
function refuseOther(call: ToolCall, approved: PlannedEdit, planned: PlannedEdit): void {
  if (call.gate.decision !== "approved") return;
  for (const [index, { path, after }] of planned.changes.entries()) {
    const seen = approved.changes[index]?.after?.bytes;
    if (seen === undefined || after === null ? seen !== after?.bytes : Buffer.compare(seen, after.bytes) !== 0) {
      throw new AccessError("conflict", { path, detail: "It changed while the edit was being approved." });
    }
  }
}

async function remember(
  call: ToolCall,
  changes: readonly FileChange[],
  versions: readonly FileVersion[],
): Promise<void> {
  for (const [index, { path, before, after }] of changes.entries()) {
    const version = versions[index];
    if (version === undefined) continue;
    call.session.noteWrite(path, after && { hash: version.hash ?? "", bytes: after.bytes }, {
      originalHash: before?.hash ?? null,
      versionId: version.id,
    });
    await call.kit.registry.update(path);
  }
}

function auditFiles(changes: readonly FileChange[], versions: readonly FileVersion[]): AuditFile[] {
  return changes.map(({ path, before, after }, index) => ({
    path,
    beforeHash: before?.hash ?? null,
    afterHash: after === null ? null : contentHash(after.bytes),
    versionId: versions[index]?.id ?? null,
  }));
}

function result(
  call: ToolCall,
  { changes, notes }: PlannedEdit,
  versions: readonly FileVersion[],
  verb: string,
): PatchResult {
  const files = changes.map(({ path, after }, index) => ({
    path,
    versionId: versions[index]?.id ?? null,
    hash: after === null ? null : contentHash(after.bytes),
  }));
  const done = changes.map(({ path, before, after }) => {
    const what = after === null ? "deleted" : before === null ? "created" : "changed";
    return `${path}: ${verb === "" ? what : `${verb} ${what}`}`;
  });
  return {
    success: true,
    message: `${[...done, ...notes].join("; ")}.`,
    conflict: false,
    diff: changes.map((change) => diffOf(call, change)).join(""),
    versionId: versions[0]?.id ?? null,
    files,
  };
}

/** What a change does, as it may be shown. */
export function diffOf(call: ToolCall, { path, before, after }: FileChange): string {
  if (before !== null && !call.gate.mayShow(path))
    return `--- a/${path}\n+++ b/${path}\n(not shown: the policy asks for reading it)\n`;
  const [old, fresh] = [before?.bytes, after?.bytes].map((bytes) =>
    bytes === undefined ? null : shownText(call, bytes),
  );
  if (old === undefined || fresh === undefined) return `Binary file ${path}\n`;
  return unifiedDiff(path, old, fresh, { isOverdue: call.deadline() });
}

/** Undefined for what is not text. */
function shownText(call: ToolCall, bytes: Uint8Array): string | undefined {
  try {
    return call.redacted(
      parseDocument(bytes)
        .lines.map(({ text, ending }) => text + ending)
        .join(""),
    );
  } catch (error) {
    if (isAccessError(error, "binary_file")) return undefined;
    throw error;
  }
}
