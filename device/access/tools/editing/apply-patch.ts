import type { FileToolInput, PatchResult } from "../../../../events/tools.ts";
import { parseDocument } from "../../edits/lines/document.ts";
import { replaceContent } from "../../edits/edit-file.ts";
import { decodeText } from "../../edits/encoding.ts";
import { parsePatch } from "../../edits/patches/parse-patch.ts";
import type { FilePatch } from "../../edits/patches/patch.ts";
import { AccessError } from "../../errors.ts";
import { commitEdit, diffOf } from "./commit-edit.ts";
import { type EditBase, EditConflict, type PlannedEdit, planFilePatch, refuseSentinel } from "./plan-edit.ts";
import type { ToolCall } from "../tool-call.ts";

interface Target {
  readonly patch: FilePatch;
  readonly path: string;
  readonly moveTo: string | undefined;
}

export async function applyPatch(call: ToolCall, input: FileToolInput<"apply_patch">): Promise<PatchResult> {
  const { files } = parsePatch(input.patch, {
    ...(input.format && { format: input.format }),
    ...(input.path !== undefined && { path: input.path }),
  });
  const targets = await targetsOf(call, files);
  const base = targets.length === 1 ? input : {};
  if (targets.length > 1 && (input.baseHash !== undefined || input.baseRange !== undefined)) {
    throw new AccessError("invalid_arguments", { detail: "baseHash and baseRange are for patches of one file." });
  }
  const paths = targets.flatMap(({ path, moveTo }) => (moveTo === undefined ? [path] : [path, moveTo]));
  try {
    return await commitEdit(call, paths, () => planAll(call, targets, base), { dryRun: input.dryRun });
  } catch (error) {
    const [only] = targets;
    if (!(error instanceof EditConflict) || input.onConflict !== "propose_merge" || only === undefined) throw error;
    return proposeMerge(call, paths, error);
  }
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
      const key = call.kit.files.foldsCase ? place.toLowerCase() : place;
      if (seen.has(key))
        throw new AccessError("overlapping_edits", { path: place, detail: "The patch names it twice." });
      seen.add(key);
    }
    targets.push({ patch, path, moveTo });
  }
  return targets;
}

async function planAll(call: ToolCall, targets: readonly Target[], base: EditBase): Promise<PlannedEdit> {
  const plans: PlannedEdit[] = [];
  for (const { patch, path, moveTo } of targets) {
    try {
      plans.push(await planFilePatch(call, patch, { path, moveTo }, base));
    } catch (error) {
      throw error instanceof AccessError && !(error instanceof EditConflict) ? error.about(path) : error;
    }
  }
  return { changes: plans.flatMap(({ changes }) => changes), notes: [...new Set(plans.flatMap(({ notes }) => notes))] };
}

/** Shows the review model's merge to a person and applies it when that person says yes. */
async function proposeMerge(call: ToolCall, paths: readonly string[], conflict: EditConflict): Promise<PatchResult> {
  const { texts, details } = conflict;
  const path = details.path ?? "";
  const proposer = call.kit.mergeProposer;
  if (texts === undefined || proposer === undefined) throw conflict;
  await call.gate.check("read", path);
  const [base, edited, current] = [texts.base, texts.edited, texts.current.bytes].map((bytes) => shownTo(call, bytes));
  const proposal = await proposer.propose({ path, base: base ?? "", edited: edited ?? "", current: current ?? "" });
  if (proposal === undefined) throw conflict;
  refuseSentinel(proposal, texts.current, path);
  const change = { path, before: texts.current, after: { bytes: replaceContent(texts.current.bytes, proposal) } };
  const diff = diffOf(call, change);
  const id = call.kit.newId();
  call.session.propose(id, { path, diff });
  try {
    await call.gate.ask({ action: `merge ${path} ${id}`, paths: [path], reason: "a model proposes a merge", diff });
  } finally {
    call.session.settle(id);
  }
  return commitEdit(call, paths, async () => {
    const now = await call.find(path);
    if (now?.hash !== texts.current.hash) throw conflict;
    return { changes: [{ ...change, before: now }], notes: ["merged as proposed and approved"] };
  });
}

function shownTo(call: ToolCall, bytes: Uint8Array): string {
  const { encoding, bomBytes } = parseDocument(bytes);
  return call.redacted(decodeText(bytes.subarray(bomBytes), encoding));
}
