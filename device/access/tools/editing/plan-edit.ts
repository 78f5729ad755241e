import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import { sentinelIn } from "../../../../shared/privacy/redaction/redact.ts";
import { contentHash } from "../../../files/content-hash.ts";
import type { FileChange } from "../../changes/change-applier.ts";
import type { FoundFile } from "../../changes/file-on-disk.ts";
import { applyHunks, newContent, replaceContent, type Searchable } from "../../edits/edit-file.ts";
import { parseDocument, splitLines } from "../../edits/lines/document.ts";
import type { FilePatch } from "../../edits/patches/patch.ts";
import { type MergeConflict, mergeThreeWay } from "../../edits/three-way-merge.ts";
import { AccessError, isAccessError } from "../../errors.ts";
import { rangeHash } from "../reading/shown-text.ts";
import type { ToolCall } from "../tool-call.ts";
import { gap } from "../tool-failure.ts";

/** What the caller says its edit was made against. */
export interface EditBase {
  readonly baseHash?: string | undefined;
  readonly baseRange?: FileToolInput<"apply_patch">["baseRange"];
}

/** A change, and what it is half of when a file moves. */
export interface PlannedChange extends FileChange {
  readonly movedFrom?: { readonly path: string; readonly file: FoundFile };
  readonly movedTo?: string;
}

/** Changes of one patch, computed from the files as they are at this moment. */
export interface PlannedEdit {
  readonly changes: readonly PlannedChange[];
  /** Something a person or model should know about how it was done. */
  readonly notes: readonly string[];
}

/** Both the file and the edit changed the same lines. Carries what a merge proposal needs. */
export class EditConflict extends AccessError {
  readonly texts: { readonly base: Uint8Array; readonly edited: Uint8Array; readonly current: FoundFile } | undefined;

  constructor(path: string, current: string, texts?: EditConflict["texts"]) {
    super("conflict", { path, current });
    this.texts = texts;
  }
}

/** A text that stands in for an edit that cannot be merged; for exactly the state it was proposed for. */
export interface ProposedMerge {
  readonly currentHash: string;
  readonly bytes: Uint8Array;
}

/** One file's part of a patch: where, canonically, and what is to stand there when the edit itself cannot. */
export interface Target {
  readonly patch: FilePatch;
  readonly path: string;
  readonly moveTo: string | undefined;
}

/** The changes one file's part of a patch makes. */
export async function planFilePatch(
  call: ToolCall,
  { patch, path, moveTo }: Target,
  base: EditBase,
  merges: ReadonlyMap<string, ProposedMerge>,
): Promise<PlannedEdit> {
  const current = await call.find(path);
  refuseSentinels(patch, current);
  if (patch.kind === "add") {
    if (current !== null) throw new AccessError("already_exists", { path, current: beginningOf(current) });
    const mode = patch.mode === undefined ? {} : { mode: patch.mode };
    return { changes: [{ path, before: null, after: { bytes: newContent(patch.content), ...mode } }], notes: [] };
  }
  if (current === null) throw new AccessError("not_found", { path });
  if (call.session.isEditor) refuseStale(call, path, current, base);
  if (patch.kind === "delete") {
    const left = patch.hunks.length > 0 && applyHunks(current.bytes, patch.hunks, searchable(call)).bytes;
    if (left !== false && parseDocument(left).lines.length > 0) {
      throw new AccessError("no_match", { path, detail: "The patch deletes a file that reads otherwise." });
    }
    refuseStale(call, path, current, base);
    return { changes: [{ path, before: current, after: null }], notes: [] };
  }
  if (patch.hunks.length > 0) call.kit.documents.refuseEdit(path);
  const merge = merges.get(path);
  const { bytes, notes } =
    merge?.currentHash === current.hash
      ? { bytes: merge.bytes, notes: [`${path} merged as proposed`] }
      : patch.hunks.length === 0
        ? { bytes: current.bytes, notes: [] }
        : editedText(call, path, current, base, (text) => applyHunks(text, patch.hunks, searchable(call)));
  if (moveTo === undefined || moveTo === path) return { changes: [{ path, before: current, after: { bytes } }], notes };
  const occupant = await call.find(moveTo);
  if (occupant !== null) throw new AccessError("already_exists", { path: moveTo, current: beginningOf(occupant) });
  return {
    changes: [
      { path: moveTo, before: null, after: { bytes, mode: current.mode }, movedFrom: { path, file: current } },
      { path, before: current, after: null, movedTo: moveTo },
    ],
    notes,
  };
}

/**
 * A line with a credential is found as it is shown: that an edit finds what was guessed would tell that the guess is right.
 * A person who sees the file itself may name such lines.
 */
function searchable({ kit, session }: ToolCall): Searchable | undefined {
  if (session.seesCredentials) return undefined;
  return ({ lines }) => {
    const { text, count } = kit.redactor.redact(lines.map((line) => line.text + line.ending).join(""));
    return count === 0 ? undefined : splitLines(text).map((line) => line.text);
  };
}

interface Edited {
  readonly bytes: Uint8Array;
  readonly ranges?: readonly (readonly [number, number])[];
  readonly usedNormalisation?: boolean;
}

/**
 * The text with an edit that was made against what the caller saw:
 *
 *     seen = current                  the edit, as it is
 *     seen ≠ current, content kept    three-way merge of both changes, or a conflict
 *     seen ≠ current, only a hash     the edit as it is when the range it names is unchanged, or a conflict
 *     nothing seen, or the edit is    the edit as it is: it names the lines it changes
 *     not about what was seen
 */
export function editedText(
  call: ToolCall,
  path: string,
  current: FoundFile,
  base: EditBase,
  edit: (text: Uint8Array) => Edited,
): { bytes: Uint8Array; notes: string[] } {
  const seen = call.session.seen(path);
  const named = base.baseHash === undefined ? undefined : call.hashNamed(base.baseHash, path, current);
  const baseHash = named ?? (base.baseRange === undefined ? seen?.hash : undefined);
  if (base.baseRange !== undefined && baseHash !== current.hash) {
    return inRange(call, path, current, base.baseRange, edit(current.bytes));
  }
  if (baseHash === undefined || baseHash === current.hash) {
    const edited = edit(current.bytes);
    return { bytes: edited.bytes, notes: notesOf(edited) };
  }
  const original = seen?.hash === baseHash ? seen.bytes : keptContent(call, path, baseHash);
  if (original === undefined) throw new EditConflict(path, beginningOf(current));
  let edited: Edited;
  try {
    edited = edit(original);
  } catch (error) {
    // Not about what the session has read. Unless the caller insists on it, about what is there now.
    if (base.baseHash !== undefined || !isAccessError(error, "no_match", "ambiguous_match")) throw error;
    const direct = edit(current.bytes);
    return { bytes: direct.bytes, notes: notesOf(direct) };
  }
  const merge = mergeThreeWay(original, current.bytes, edited.bytes);
  // Somebody made the very same change: told as a success, it would be counted twice.
  if (merge.clean && contentHash(merge.bytes) === current.hash) throw new AccessError("already_applied", { path });
  if (merge.clean)
    return { bytes: merge.bytes, notes: [...notesOf(edited), "merged with what had changed since it was read"] };
  throw new EditConflict(path, conflictText(current, merge.conflicts), {
    base: original,
    edited: edited.bytes,
    current,
  });
}

/** Of this file only: the hash of another one's content must not open it. */
function keptContent(call: ToolCall, path: string, hash: string): Uint8Array | undefined {
  const { versions, contents } = call.kit.store;
  return versions.list(path, maxVersions).some((version) => version.hash === hash) ? contents.get(hash) : undefined;
}

const notesOf = ({ usedNormalisation }: Edited) =>
  usedNormalisation === true ? ["found by evening out white space or punctuation"] : [];

/** Other lines have changed: the edit stands when it stays within lines that have not. */
function inRange(
  call: ToolCall,
  path: string,
  current: FoundFile,
  range: NonNullable<EditBase["baseRange"]>,
  edited: Edited,
): { bytes: Uint8Array; notes: string[] } {
  const [start, end] = [range.startLine - 1, range.endLine];
  const unchanged = rangeHash(call.shown(path, current), start, end) === range.hash;
  const within = edited.ranges?.every(([from, to]) => from >= start && to <= end) === true;
  if (unchanged && within) return { bytes: edited.bytes, notes: notesOf(edited) };
  throw new EditConflict(path, linesOf(current, start - 2, end + 2));
}

/** @throws AccessError `conflict` when the file is not what the caller saw; for changes that cannot be merged */
function refuseStale(call: ToolCall, path: string, current: FoundFile, { baseHash }: EditBase): void {
  const named = baseHash === undefined ? undefined : call.hashNamed(baseHash, path, current);
  const seen = named ?? call.session.seen(path)?.hash;
  if (seen !== undefined && seen !== current.hash) throw new EditConflict(path, beginningOf(current));
}

/** A whole new content for a file that is there. */
export function planReplacement(
  call: ToolCall,
  path: string,
  current: FoundFile,
  content: string,
  baseHash: string | undefined,
): PlannedEdit {
  if (baseHash === undefined && call.session.seen(path) === undefined) {
    throw new AccessError("unread", { path, current: beginningOf(current) });
  }
  const { isEditor } = call.session;
  const replaced = (text: Uint8Array) => ({
    bytes: replaceContent(text, content, { isOverdue: call.deadline(), isOfEditor: isEditor }),
  });
  if (isEditor) refuseOtherBase(call, path, current, baseHash, () => replaced(current.bytes).bytes);
  const { bytes, notes } = editedText(call, path, current, { baseHash }, replaced);
  if (contentHash(bytes) === current.hash) throw new AccessError("patch_empty", { path });
  return { changes: [{ path, before: current, after: { bytes } }], notes };
}

/** Who edits whole texts has them merged before a person's eyes: the content that was named is replaced, or none. */
function refuseOtherBase(
  call: ToolCall,
  path: string,
  current: FoundFile,
  baseHash: string | undefined,
  wanted: () => Uint8Array,
): void {
  if (baseHash !== undefined && call.hashNamed(baseHash, path, current) === current.hash) return;
  // Sent again because its answer was lost: what was wanted is there.
  if (contentHash(wanted()) === current.hash) throw new AccessError("already_applied", { path });
  throw new EditConflict(path, beginningOf(current));
}

/** A model that writes back what stands for a credential would destroy the credential. */
function refuseSentinels(patch: FilePatch, current: FoundFile | null): void {
  const lines =
    patch.kind === "add" ? [patch.content] : patch.hunks.flatMap((hunk) => hunk.lines.map(({ text }) => text));
  for (const line of lines) refuseSentinel(line, current, patch.path);
}

/** @throws AccessError `redaction_sentinel`, unless the file itself says so */
export function refuseSentinel(text: string, current: FoundFile | null, path: string): void {
  const sentinel = sentinelIn(text);
  if (sentinel === undefined || (current !== null && Buffer.from(current.bytes).includes(sentinel))) return;
  throw new AccessError("redaction_sentinel", { path, detail: `It holds ${sentinel}.` });
}

const excerptLines = 40;
const maxVersions = 10_000;

/** What is there, to explain a refusal; "" for what is not text. */
export function beginningOf(file: FoundFile): string {
  try {
    return linesOf(file, 0, excerptLines);
  } catch (error) {
    if (isAccessError(error, "binary_file")) return "";
    throw error;
  }
}

function conflictText(current: FoundFile, conflicts: readonly MergeConflict[]): string {
  return conflicts.map(({ ours: [start, end] }) => linesOf(current, start - 2, end + 2)).join(gap);
}

function linesOf({ bytes }: FoundFile, start: number, end: number): string {
  return parseDocument(bytes)
    .lines.slice(Math.max(0, start), end)
    .map(({ text, ending }) => text + ending)
    .join("");
}
