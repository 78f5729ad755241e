import type { ProjectId } from "../../../../events/ids.ts";
import type { ProjectFiles } from "../../../files/project-files.ts";
import type { FolderSnapshot } from "../../../store/folder-schema.ts";
import type { DeviceStore } from "../../../store/open.ts";
import type { ScanLimits } from "../limits.ts";
import type { ReadingRules } from "../reading-rules.ts";
import type { LeftOut } from "../reasons.ts";
import { compareWithSnapshot, SnapshotRecorder, scanBasis } from "./folder-snapshot.ts";
import { lookAtChanges } from "./look-at-changes.ts";
import { type Survey, survey } from "./survey.ts";
import { DirectoryTallies } from "./tally.ts";

/** A folder beside its manifest. */
export interface Look {
  /** Of all of the folder, whether or not all of it had to be walked. */
  readonly found: Survey;
  /** The folder looks as the last scan left it: nothing was walked. */
  readonly isAsItWas: boolean;
  /** Everything that is not in the manifest. */
  readonly leftOut: LeftOut;
  readonly basis: string;
  /** What the next look can be compared with; undefined when not all was seen, or there is too much of it. */
  readonly directories: FolderSnapshot["directories"] | undefined;
}

export interface LookOptions {
  readonly store: DeviceStore;
  readonly files: ProjectFiles;
  readonly projectId: ProjectId;
  readonly rules: ReadingRules;
  readonly limits: ScanLimits;
  /** This machine's clock, in milliseconds. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly onEntries?: ((count: number) => void) | undefined;
}

/**
 * Compares a folder with its manifest, by metadata alone; nothing is opened. Where there is a snapshot of it only directories that
 * have changed since are walked.
 *
 * @throws ProjectFilesError NotFound when the folder is gone, AccessDenied, Cancelled, StorageFailed
 */
export async function look(options: LookOptions): Promise<Look> {
  const { store, files, projectId, rules, limits, signal } = options;
  const basis = await scanBasis(files, rules, limits);
  const compared = await compareWithSnapshot({ store, files, projectId, basis, limits, signal });
  if (compared?.toLookAt.length === 0) {
    const { directories, leftOut } = compared.snapshot;
    const unchanged = store.folderFiles.total(projectId);
    const found = { candidates: [], missing: [], unchanged, unseen: 0, limitedBy: undefined };
    return { found, isAsItWas: true, leftOut, basis, directories };
  }
  const partial = compared === undefined ? undefined : await lookAtChanges(compared, options);
  return partial === undefined ? lookAtAll(options, basis) : { ...partial, isAsItWas: false, basis };
}

async function lookAtAll(options: LookOptions, basis: string): Promise<Look> {
  const { store, projectId, rules, limits, now } = options;
  const recorder = new SnapshotRecorder(now);
  const tallies = new DirectoryTallies(limits.maxCountedTypes);
  const found = await survey({
    ...options,
    known: store.folderFiles.versions(projectId),
    rulesHold: store.projects.get(projectId).scanRulesHash === rules.hash,
    tallies,
    onDirectory: recorder.note,
  });
  const isWhole = found.limitedBy === undefined && found.unseen === 0;
  const directories = isWhole ? recorder.directories?.map((each) => tallies.with(each)) : undefined;
  return { found, isAsItWas: false, leftOut: tallies.total().total(), basis, directories };
}
