import { compareWithSnapshot, SnapshotRecorder, scanBasis } from "./folder-snapshot.ts";
import { lookAtChanges } from "./look-at-changes.ts";
import type { Look, LookOptions } from "./look-types.ts";
import { survey } from "./survey.ts";
import { DirectoryTallies } from "./tally.ts";

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
