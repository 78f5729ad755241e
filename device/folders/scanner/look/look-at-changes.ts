import { isProjectFilesError } from "../../../files/errors.ts";
import { comparePaths, nameOf, parentOf } from "../../../files/paths/project-path.ts";
import type { ListedEntry, WalkOptions } from "../../../files/walk/walk-types.ts";
import { type SnapshotComparison, SnapshotRecorder } from "./folder-snapshot.ts";
import type { Look, LookOptions } from "./look-types.ts";
import type { ScannedDirectory } from "./scanned-directory.ts";
import { type Candidate, type Survey, survey } from "./survey.ts";
import { DirectoryTallies, Tally } from "./tally.ts";

/**
 * Looks at the directories that have changed since a snapshot, at those that are new in them, and at nothing else: what holds for
 * the others was decided by the scan that left the snapshot, under the same rules.
 *
 *     a/           as it was: its files are, its directories speak for themselves
 *     a/b/         differs: walked ─┬─ a/b/x.md   compared with its row
 *                                   ├─ a/b/new/   not in the snapshot: walked, and all below it
 *                                   ├─ a/b/c/     in the snapshot: speaks for itself
 *                                   └─ a/b/d/     in the snapshot and no longer there: its rows are missing
 *
 * @returns undefined when a change reaches further than its directory (ignore files, the number of files) or something could not
 * be looked at: then a walk of all has to tell
 * @throws ProjectFilesError Cancelled, StorageFailed
 */
export async function lookAtChanges(
  { snapshot, toLookAt }: SnapshotComparison,
  options: LookOptions,
): Promise<Omit<Look, "isAsItWas" | "basis"> | undefined> {
  const { store, projectId, rules } = options;
  if (store.projects.get(projectId).scanRulesHash !== rules.hash) return undefined;
  // Which files are beyond the number is decided by the order of all of them.
  if (snapshot.leftOut.byReason.too_many !== undefined) return undefined;
  const known = new Map(snapshot.directories.map((directory) => [directory.path, directory]));
  const looked = new ChangedDirectories(known, options);
  // Outer directories first: they say which of the others are there.
  for (const path of toLookAt.toSorted((a, b) => a.length - b.length)) {
    if (!known.has(path) || !(await looked.add(path))) return undefined;
  }
  return looked.result();
}

class ChangedDirectories {
  readonly #known: Map<string, ScannedDirectory>;
  readonly #options: LookOptions;
  readonly #tallies: DirectoryTallies;
  readonly #recorder: SnapshotRecorder;
  readonly #gone = new Set<string>();
  readonly #candidates: Candidate[] = [];
  readonly #missing: string[] = [];
  /** Files of the manifest that are in no directory looked at so far, or were found in one. */
  #files: number;
  /** Of those, the ones that are as they were. */
  #unchanged: number;

  constructor(known: Map<string, ScannedDirectory>, options: LookOptions) {
    this.#known = known;
    this.#options = options;
    this.#tallies = new DirectoryTallies(options.limits.maxCountedTypes);
    this.#recorder = new SnapshotRecorder(options.now);
    this.#files = options.store.folderFiles.total(options.projectId);
    this.#unchanged = this.#files;
  }

  /** False when this directory cannot be judged by itself. */
  async add(path: string): Promise<boolean> {
    if (this.#isGone(path)) return true;
    const { store, projectId } = this.#options;
    const rows = store.folderFiles.versions(projectId, { directlyIn: path });
    this.#files -= rows.size;
    this.#unchanged -= rows.size;
    let entered: readonly ListedEntry[] | undefined;
    const found = await this.#survey(path, rows, (directory, entries, stamp) => {
      this.#recorder.note(directory, entries, stamp);
      if (directory === path) entered = entries;
    });
    if (found === undefined || entered === undefined) return false;
    this.#files += found.candidates.length + found.unchanged;
    this.#unchanged += found.unchanged;
    this.#candidates.push(...found.candidates);
    this.#missing.push(...found.missing);
    this.#leaveOutGone(path, entered);
    return true;
  }

  async #survey(
    path: string,
    known: Map<string, string>,
    onDirectory: NonNullable<WalkOptions["onDirectory"]>,
  ): Promise<Survey | undefined> {
    try {
      const found = await survey({
        ...this.#options,
        known,
        rulesHold: true,
        tallies: this.#tallies,
        under: path,
        enters: (directory) => !this.#known.has(directory),
        filesElsewhere: this.#files,
        onDirectory,
      });
      return found.limitedBy === undefined && found.unseen === 0 ? found : undefined;
    } catch (error) {
      // It went away after it was compared, or may not be read: the walk that follows says which.
      if (isProjectFilesError(error, "NotFound", "NotADirectory", "RootGone", "OutsideRoot", "AccessDenied"))
        return undefined;
      throw error;
    }
  }

  /** What lay in directories that are no longer here. */
  #leaveOutGone(path: string, entries: readonly ListedEntry[]): void {
    const there = new Set(entries.filter(({ kind }) => kind === "directory").map(({ name }) => name));
    const { store, projectId } = this.#options;
    for (const directory of this.#known.keys()) {
      if (directory === "" || parentOf(directory) !== path || there.has(nameOf(directory))) continue;
      this.#gone.add(directory);
      const rows = store.folderFiles.versions(projectId, { under: directory });
      this.#files -= rows.size;
      this.#unchanged -= rows.size;
      this.#missing.push(...rows.keys());
    }
  }

  #isGone(path: string): boolean {
    for (let at = path; at !== ""; at = parentOf(at)) if (this.#gone.has(at)) return true;
    return false;
  }

  result(): Omit<Look, "isAsItWas" | "basis"> | undefined {
    const { limits } = this.#options;
    const here = this.#recorder.directories;
    // Nothing could be said about a directory by itself: the scan that follows this one has to walk, and so may this one.
    if (here === undefined || here.some((each) => this.#hasOtherRules(each))) return undefined;
    const looked = new Set(here.map(({ path }) => path));
    const rest = [...this.#known.values()].filter(({ path }) => !looked.has(path) && !this.#isGone(path));
    const directories = [...rest, ...here.map((each) => this.#tallies.with(each))];
    const total = new Tally(limits.maxCountedTypes);
    for (const { leftOut } of directories) if (leftOut !== undefined) total.addAll(leftOut);
    const leftOut = total.total();
    if (leftOut.byReason.too_many !== undefined || this.#files > limits.maxFiles) return undefined;
    const found: Survey = {
      // In the order of a walk of all: of two files with the content of one that is gone, the first is the one that moved.
      candidates: this.#candidates.toSorted((a, b) => comparePaths(a.path, b.path)),
      missing: this.#missing.toSorted(comparePaths),
      unchanged: this.#unchanged,
      unseen: 0,
      limitedBy: undefined,
    };
    return { found, leftOut, directories };
  }

  #hasOtherRules({ path, rules }: ScannedDirectory): boolean {
    const before = this.#known.get(path);
    return before !== undefined && before.rules !== rules;
  }
}
