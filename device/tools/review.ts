import { isProtectedFromWriting, writingRunsSomething } from "../access/policy/protected.ts";
import { unifiedDiff } from "../access/reading/unified.ts";
import { FsProjectFiles } from "../files/backends/fs/fs-project-files.ts";
import { isProjectFilesError } from "../files/errors.ts";
import type { FileState, MaterializedView, SyncChange } from "../files/materialize/materialize-types.ts";
import { permissionBits } from "../files/materialize/sync-back.ts";
import { pathFilter } from "../files/paths/path-filter.ts";
import { nameOf } from "../files/paths/project-path.ts";
import type { ProjectFiles } from "../files/project-files.ts";
import { textEncodingOf } from "../files/text/text-encoding.ts";

/** A change that may be brought into the project when the person says so. */
export interface OfferedChange {
  readonly path: string;
  readonly action: "create" | "update" | "delete" | "conflict";
  /** What the file would be; null: not there. An approval holds for exactly this. */
  readonly after: FileState | null;
  /** What would change, as a unified diff; null for what cannot be shown as text. */
  readonly diff: string | null;
  /** What a person should know beside that: modes, sizes, why it is a conflict. */
  readonly notes: readonly string[];
}

export const refusalReasons = {
  "not-declared": "the tool may not write there",
  protected: "it decides what programs may do",
  denied: "a rule denies changes of it",
  symlink: "links are not brought back",
  special: "it is no regular file",
  unaddressable: "its name cannot be kept",
  "too-large": "it is too large",
  unreadable: "it cannot be read",
} as const;

/** A change of the copy that stays there, whatever anybody says. */
export interface RefusedChange {
  readonly path: string;
  readonly reason: keyof typeof refusalReasons;
}

export interface Review {
  readonly offered: readonly OfferedChange[];
  readonly refused: readonly RefusedChange[];
}

const longestDiffedBytes = 1024 ** 2;
const diffTimeMs = 2_000;

const conflictNotes: Record<Extract<SyncChange, { action: "conflict" }>["reason"], string> = {
  "both-changed": "it was changed in the project meanwhile",
  "changed-here-deleted-there": "it was deleted in the project meanwhile",
  "deleted-here-changed-there": "it was changed in the project meanwhile, so it is not deleted",
  "both-created": "there is another file of that name in the project",
  blocked: "something else is in its place in the project",
};

/**
 * Sorts what a tool changed in its copy into what may be brought back and what may not.
 *
 * @param writes what the tool was allowed to write
 * @param mayChange whether rules leave a file to be changed
 */
export async function reviewChanges(
  view: MaterializedView,
  files: ProjectFiles,
  writes: readonly string[],
  mayChange: (path: string) => boolean,
): Promise<Review> {
  const offered: OfferedChange[] = [];
  const refused: RefusedChange[] = [];
  const isDeclared = writes.length === 0 ? () => false : pathFilter({ globs: writes }, files.folding.foldsCase);
  const copy = new FsProjectFiles(view.root, { ripgrep: false });
  for (const change of (await view.plan()).changes) {
    const { path } = change;
    if (change.action === "skip") {
      const { reason } = change;
      if (reason !== "not-approved" && reason !== "changed-since") refused.push({ path, reason });
    } else if (isProtectedFromWriting(path)) refused.push({ path, reason: "protected" });
    else if (!mayChange(path)) refused.push({ path, reason: "denied" });
    else if (isDeclared?.(path, nameOf(path)) !== true) refused.push({ path, reason: "not-declared" });
    else offered.push(await described(change, files, copy));
  }
  return { offered, refused };
}

type Changed = Exclude<SyncChange, { action: "skip" }>;

async function described(change: Changed, files: ProjectFiles, copy: ProjectFiles): Promise<OfferedChange> {
  const { path, action, after } = change;
  const [before, fresh] = [await sideOf(files, path), after === null ? absent : await sideOf(copy, path)];
  const startedMs = performance.now();
  const isOverdue = () => performance.now() - startedMs > diffTimeMs;
  const isText = before.text !== undefined && fresh.text !== undefined;
  const notes = [
    ...(action === "conflict" ? [`conflict: ${conflictNotes[change.reason]}; both versions are kept`] : []),
    ...(isText ? [] : [`not shown as text: ${before.bytes} bytes before, ${fresh.bytes} bytes after`]),
    ...modeNotes(before.mode, fresh.mode),
    ...(writingRunsSomething(path) ? ["programs run what this file says"] : []),
  ];
  const diff = isText ? unifiedDiff(path, before.text ?? null, fresh.text ?? null, { isOverdue }) : null;
  return { path, action, after, diff, notes };
}

interface Side {
  /** Null: not there; undefined: no text, or too long to be compared. */
  readonly text: string | null | undefined;
  readonly bytes: number;
  readonly mode: number | undefined;
}

const absent: Side = { text: null, bytes: 0, mode: undefined };

async function sideOf(files: ProjectFiles, path: string): Promise<Side> {
  try {
    const { sizeBytes, mode } = await files.metadata(path);
    const facts = { bytes: sizeBytes, mode: mode & permissionBits };
    if (sizeBytes > longestDiffedBytes) return { text: undefined, ...facts };
    const bytes = await files.read(path, { maxBytes: longestDiffedBytes });
    const encoding = textEncodingOf(bytes, true);
    return { text: encoding && new TextDecoder(encoding.label).decode(bytes), ...facts };
  } catch (error) {
    if (isProjectFilesError(error, "NotFound", "NotADirectory")) return absent;
    if (isProjectFilesError(error)) return { text: undefined, bytes: 0, mode: undefined };
    throw error;
  }
}

function modeNotes(before: number | undefined, after: number | undefined): string[] {
  if (after === undefined || before === after) return [];
  if (before !== undefined) return [`permissions ${before.toString(8)} become ${after.toString(8)}`];
  return (after & 0o111) === 0 ? [] : [`it can be run as a program (permissions ${after.toString(8)})`];
}
