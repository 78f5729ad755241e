import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import type { PatchResult } from "../../../../events/agent-tools/patch-result.ts";
import { identityOf } from "../../../files/paths/containment.ts";
import type { FilePatch } from "../../edits/patches/patch.ts";
import { AccessError } from "../../errors.ts";
import { patchOf } from "../claims.ts";
import type { ToolCall } from "../tool-call.ts";
import { commitEdit } from "./commit-edit.ts";
import {
  type EditBase,
  EditConflict,
  type PlannedEdit,
  type ProposedMerge,
  planFilePatch,
  type Target,
} from "./plan-edit.ts";
import { proposedMerge } from "./propose-merge.ts";

/**
 * Changes, makes, moves and deletes files as a patch says: all of them, or none. With `dryRun` nothing is written, and
 * the result says what would be. With `onConflict: "propose_merge"` the review model proposes a merge of each file in
 * conflict, and a person decides on the whole patch.
 *
 * @throws AccessError `patch_malformed`, `patch_empty`, `invalid_arguments` (a base, and a patch of several files),
 * `overlapping_edits`, `no_match`, `ambiguous_match`, `already_applied`, `conflict`, `already_exists` (a new file, or
 * the target of a move), `not_found`, `placeholder`, `redaction_sentinel`, `unencodable`, `binary_file`; also those of
 * {@link ToolCall.find} and {@link commitEdit}
 */
export async function applyPatch(call: ToolCall, input: FileToolInput<"apply_patch">): Promise<PatchResult> {
  const targets = await targetsOf(call, patchOf(input).files);
  const base = targets.length === 1 ? input : {};
  if (targets.length > 1 && (input.baseHash !== undefined || input.baseRange !== undefined)) {
    throw new AccessError("invalid_arguments", { detail: "baseHash and baseRange are for patches of one file." });
  }
  const paths = targets.flatMap(({ path, moveTo }) => (moveTo === undefined ? [path] : [path, moveTo]));
  const merges = new Map<string, ProposedMerge>();
  const plan = () => planAll(call, targets, base, merges);
  if (input.onConflict === "propose_merge") await proposeMerges(call, plan, merges);
  return commitEdit(call, paths, plan, { dryRun: input.dryRun, merged: [...merges.keys()] });
}

async function targetsOf(call: ToolCall, files: readonly FilePatch[]): Promise<Target[]> {
  const targets: Target[] = [];
  const seen = new Set<string>();
  for (const patch of files) {
    const goesAway = patch.kind === "delete" || (patch.kind === "update" && patch.moveTo !== undefined);
    const path = goesAway ? await call.canonicalWithoutLink(patch.path) : await call.canonical(patch.path);
    const moveTo =
      patch.kind === "update" && patch.moveTo !== undefined ? await call.canonical(patch.moveTo) : undefined;
    for (const place of moveTo === undefined ? [path] : [path, moveTo]) {
      const key = identityOf(place, call.kit.files.folding);
      if (seen.has(key))
        throw new AccessError("overlapping_edits", { path: place, detail: "The patch names it twice." });
      seen.add(key);
    }
    targets.push({ patch, path, moveTo });
  }
  return targets;
}

async function planAll(
  call: ToolCall,
  targets: readonly Target[],
  base: EditBase,
  merges: ReadonlyMap<string, ProposedMerge>,
): Promise<PlannedEdit> {
  const plans: PlannedEdit[] = [];
  for (const target of targets) {
    try {
      plans.push(await planFilePatch(call, target, base, merges));
    } catch (error) {
      throw error instanceof AccessError && !(error instanceof EditConflict) ? error.about(target.path) : error;
    }
  }
  return { changes: plans.flatMap(({ changes }) => changes), notes: [...new Set(plans.flatMap(({ notes }) => notes))] };
}

/** Fills `merges` until the patch can be planned as a whole: one conflict after the other, each file once. */
async function proposeMerges(
  call: ToolCall,
  plan: () => Promise<PlannedEdit>,
  merges: Map<string, ProposedMerge>,
): Promise<void> {
  for (;;) {
    try {
      await plan();
      return;
    } catch (error) {
      const path = error instanceof EditConflict ? error.details.path : undefined;
      if (!(error instanceof EditConflict) || path === undefined || merges.has(path)) throw error;
      merges.set(path, await proposedMerge(call, path, error));
    }
  }
}
