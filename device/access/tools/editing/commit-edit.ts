import type { PatchResult } from "../../../../events/agent-tools/patch-result.ts";
import { contentHash } from "../../../files/content-hash.ts";
import { throwIfCancelled } from "../../../files/errors.ts";
import { refuseReadOnly } from "../../../files/read-only-file.ts";
import type { AuditFile } from "../../audit/record.ts";
import type { FileChange } from "../../changes/change-applier.ts";
import { writeFailure } from "../../changes/write-failure.ts";
import { AccessError, isAccessError } from "../../errors.ts";
import type { FileVersion } from "../../store/access-store.ts";
import type { ToolCall } from "../tool-call.ts";
import { diffOf, givenDiff } from "./edit-diff.ts";
import { EditConflict, type PlannedChange, type PlannedEdit } from "./plan-edit.ts";

/** Somebody who keeps changing the file wins after so many tries. */
const maxAttempts = 3;

export interface CommitOptions {
  readonly dryRun?: boolean;
  /** Files whose new text a model has proposed: a person is shown the whole patch before anything of it is done. */
  readonly merged?: readonly string[];
}

/**
 * Makes an edit: planned once to see (and, where the policy says so, ask) what it would do, then again under the locks of
 * its files from what they are then, and written only to exactly that.
 *
 * @param paths canonical, every file the edit may change
 * @throws AccessError `read_only`, `no_permission`, `denied`, `approval_refused`, `budget_exceeded`, `busy`, `conflict` (also when a file changed
 * while a person was asked), `write_failed`, `recovery_needed`, `cancelled` (as ProjectFilesError); also what `plan` throws
 */
export async function commitEdit(
  call: ToolCall,
  paths: readonly string[],
  plan: () => Promise<PlannedEdit>,
  { dryRun = false, merged = [] }: CommitOptions = {},
): Promise<PatchResult> {
  if (call.kit.files.isReadOnly && !dryRun) throw new AccessError("read_only");
  const preview = await plan();
  for (const change of preview.changes) refuseOverReadOnly(change);
  if (dryRun) return dryResult(call, preview);
  if (merged.length > 0) await approveMerge(call, preview, merged);
  for (const change of preview.changes) {
    const diff = diffOf(call, change);
    await whilePending(call, { path: change.path, diff }, () => call.gate.checkWriting(change.path, diff));
  }
  await call.allow("writes", preview.changes.length);
  return call.kit.locks.run(paths, () =>
    call.kit.lease.run(async () => {
      for (let attempt = 1; ; attempt++) {
        const planned = await plan();
        refuseOther(call, preview, planned);
        // Whoever gave it up while it waited is not told of it any more. What is begun is done as a whole.
        throwIfCancelled(call.gate.signal);
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
          const recorded = await recordElsewhere(call, planned.changes, versions);
          return result(call, { ...planned, notes: [...planned.notes, ...recorded] }, versions, "");
        } catch (error) {
          if (!isAccessError(error, "conflict") || error instanceof EditConflict || attempt === maxAttempts)
            throw error;
        }
      }
    }),
  );
}

/** Before anybody is asked: the disk's own answer comes when it is written. What is moved or deleted keeps what it says. */
function refuseOverReadOnly({ path, before, after, movedFrom }: PlannedChange): void {
  const source = movedFrom === undefined ? { path, file: before } : movedFrom;
  if (after === null || (movedFrom !== undefined && contentHash(after.bytes) === movedFrom.file.hash)) return;
  try {
    refuseReadOnly(source.path, source.file?.mode);
  } catch (error) {
    throw writeFailure(error);
  }
}

/** Where the person wants changes in version control too. They are made, whatever becomes of that. */
async function recordElsewhere(
  { kit, session, tool }: ToolCall,
  changes: readonly PlannedChange[],
  versions: readonly FileVersion[],
): Promise<string[]> {
  const versionIds = versions.map(({ id }) => id);
  const said = await kit.recorder?.record({ changes, tool, caller: session.caller, session: session.id, versionIds });
  return said === undefined ? [] : [said.replace(/\.$/, "")];
}

/** One question about all that the patch does, not only about the file that was merged. */
async function approveMerge(call: ToolCall, preview: PlannedEdit, merged: readonly string[]): Promise<void> {
  const paths = [...new Set(preview.changes.map(({ path }) => path))];
  const diff = preview.changes.map((change) => diffOf(call, change)).join("");
  const about = merged.join(", ");
  const others = paths.filter((path) => !merged.includes(path));
  const action = `merge ${about}${others.length > 0 ? `, and with it change ${others.join(", ")}` : ""}`;
  await whilePending(call, { path: merged[0] ?? "", diff }, () =>
    call.gate.put({
      kind: "merge",
      why: "merge_proposed",
      action,
      paths,
      reason: `a model proposes how the edit of ${about} goes together with what it has become`,
      diff,
    }),
  );
}

/** Lists an edit among those that wait for a person, as long as one is asked. */
async function whilePending(
  call: ToolCall,
  edit: { readonly path: string; readonly diff: string },
  ask: () => Promise<void>,
): Promise<void> {
  const id = call.kit.newId();
  call.session.propose(id, edit);
  try {
    await ask();
  } finally {
    call.session.settle(id);
  }
}

/** What a person has approved is what is done, or nothing is. */
function refuseOther(call: ToolCall, approved: PlannedEdit, planned: PlannedEdit): void {
  if (call.gate.decision !== "approved") return;
  const effectOf = ({ path, before, after }: FileChange) =>
    JSON.stringify([path, before?.hash ?? null, after && contentHash(after.bytes)]);
  const seen = new Set(approved.changes.map(effectOf));
  const other = planned.changes.find((change) => !seen.has(effectOf(change)));
  if (other === undefined && planned.changes.length === approved.changes.length) return;
  const { path = "" } = other ?? {};
  throw new AccessError("conflict", { path, detail: "It changed while the edit was being approved." });
}

async function remember(
  call: ToolCall,
  changes: readonly PlannedChange[],
  versions: readonly FileVersion[],
): Promise<void> {
  for (const [index, { path, before, after, movedFrom }] of changes.entries()) {
    const version = versions[index];
    if (version === undefined) continue;
    if (movedFrom !== undefined) call.session.noteMove(movedFrom.path, path);
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

/** What an edit would do: it shows the files' text and changes nothing. */
function dryResult(call: ToolCall, preview: PlannedEdit): PatchResult {
  const shown = result(call, preview, [], "would be");
  for (const { path, before } of preview.changes) call.noteShown(path, before?.hash ?? null, shown.diff ?? "");
  return shown;
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
    hash: after === null ? null : call.nameOf({ hash: contentHash(after.bytes), bytes: after.bytes }),
  }));
  const done = changes.map(({ path, before, after }) => {
    const what = after === null ? "deleted" : before === null ? "created" : "changed";
    return `${path}: ${verb === "" ? what : `${verb} ${what}`}`;
  });
  return {
    success: true,
    message: `${[...done, ...notes].join("; ")}.`,
    conflict: false,
    diff: changes.map((change) => givenDiff(call, change, verb === "")).join(""),
    versionId: versions[0]?.id ?? null,
    files,
  };
}
