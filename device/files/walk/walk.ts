import { isProjectFilesError, ProjectFilesError, throwIfCancelled } from "../errors.ts";
import { pathFilter } from "../paths/path-filter.ts";
import { canonicalPath, isAddressableName, joinPath, segmentsOf } from "../paths/project-path.ts";
import { IgnoreFiles, isIgnored, type RulesInForce } from "./ignore-files.ts";
import type {
  DirectoryStamp,
  FileEntry,
  FileWalk,
  LeftOutEntry,
  ListedEntry,
  WalkOmissions,
  WalkOptions,
  WalkSource,
} from "./walk-types.ts";

/** Names of files a write in progress leaves for a moment; never part of the project. */
export const temporaryPrefix = ".scouts-tmp-";

/** Longest stretch of work without letting other events in. */
const sliceMs = 8;
const defaultSkipNames = [".git"];

interface Frame {
  directory: string;
  entries: ListedEntry[];
  next: number;
  ignore: RulesInForce;
}

/** The counts of a walk that has left nothing out yet. */
export function noOmissions(): WalkOmissions {
  return {
    ignoredFiles: 0,
    ignoredDirectories: 0,
    skipped: 0,
    symlinks: 0,
    special: 0,
    unaddressable: 0,
    filtered: 0,
    vanished: 0,
    unreadable: 0,
    temporary: 0,
    limited: false,
  };
}

/** The walk of every backend; see `ProjectFiles.walk`. `source` is called for each iteration. */
export function walkTree(source: () => WalkSource, options: WalkOptions = {}): FileWalk {
  const omitted = noOmissions();
  return { omitted, [Symbol.asyncIterator]: () => new TreeWalk(source(), options, omitted) };
}

class TreeWalk implements AsyncIterator<FileEntry> {
  readonly #source: WalkSource;
  readonly #options: WalkOptions;
  readonly #omitted: WalkOmissions;
  readonly #skipNames: ReadonlySet<string>;
  readonly #wanted: ReturnType<typeof pathFilter>;
  readonly #ignoreFiles: IgnoreFiles;
  readonly #stack: Frame[] = [];
  #state: "new" | "running" | "done" = "new";
  #given = 0;
  #sliceStartMs = performance.now();

  constructor(source: WalkSource, options: WalkOptions, omitted: WalkOmissions) {
    this.#source = source;
    this.#options = options;
    this.#omitted = omitted;
    this.#ignoreFiles = new IgnoreFiles(source, options, (error) => this.#countLost(error));
    this.#skipNames = new Set(options.skipNames ?? defaultSkipNames);
    this.#wanted = pathFilter(options, source.foldsCase);
  }

  /** Answers from what is at hand when it can: a pending promise per file would triple the cost of a walk. */
  next(): Promise<IteratorResult<FileEntry>> {
    if (this.#state === "running") {
      const entry = this.#takeListed();
      if (entry !== undefined) return Promise.resolve({ value: entry, done: false });
    }
    return this.#advance();
  }

  async return(): Promise<IteratorResult<FileEntry>> {
    this.#finish();
    return { value: undefined, done: true };
  }

  #finish(): void {
    if (this.#state === "done") return;
    this.#state = "done";
    this.#stack.length = 0;
    this.#source.close?.();
  }

  async #advance(): Promise<IteratorResult<FileEntry>> {
    try {
      if (this.#state === "new") {
        this.#state = "running";
        await this.#start();
      }
      while (this.#state === "running") {
        const entry = await this.#step();
        if (entry === "end") this.#finish();
        else if (entry !== undefined) return { value: entry, done: false };
      }
    } catch (error) {
      this.#finish();
      throw error;
    }
    return { value: undefined, done: true };
  }

  /** Opens the frames from the root down to where the walk begins, so that outer ignore files count. */
  async #start(): Promise<void> {
    const under = canonicalPath(this.#options.under ?? "", this.#source.style);
    const after =
      this.#options.after === undefined ? undefined : canonicalPath(this.#options.after, this.#source.style);
    if (after !== undefined && under !== "" && !after.startsWith(`${under}/`)) {
      throw new ProjectFilesError("InvalidPath", { path: after, detail: `the cursor is not under ${under}` });
    }
    const chain = segmentsOf(under);
    let ignore: RulesInForce = { git: await this.#ignoreFiles.outermostRules(), own: undefined };
    for (let depth = 0; depth < chain.length; depth++) {
      const directory = chain.slice(0, depth).join("/");
      const own = await this.#ignoreFiles.ownRulesIn(directory, ignore.own);
      ignore = { git: await this.#ignoreFiles.rulesIn(directory, ignore.git), own };
    }
    await this.#enter(under, ignore, true);
    if (after !== undefined) await this.#resume(under, after);
  }

  /** Moves behind the cursor: in each directory on its path, entries before it are dropped. */
  async #resume(under: string, after: string): Promise<void> {
    const base = segmentsOf(under).length;
    const names = segmentsOf(after).slice(base);
    for (const [depth, name] of names.entries()) {
      const frame = this.#stack[depth];
      if (frame === undefined) return;
      while ((frame.entries[frame.next]?.name ?? name) < name) frame.next++;
      const entry = frame.entries[frame.next];
      if (entry?.name !== name) return;
      frame.next++;
      const isLast = depth === names.length - 1;
      if (entry.kind !== "directory" || isLast || this.#leavesOut(frame, entry)) return;
      await this.#enter(joinPath(frame.directory, name), frame.ignore, false);
    }
  }

  /** The next file of the directory at hand, without doing anything that may wait. */
  #takeListed(): FileEntry | undefined {
    const frame = this.#stack.at(-1);
    if (frame === undefined || this.#options.signal?.aborted) return undefined;
    if (this.#given >= (this.#options.maxFiles ?? Number.POSITIVE_INFINITY)) return undefined;
    const { entries } = frame;
    for (
      let entry = entries[frame.next];
      entry !== undefined && entry.kind !== "directory";
      entry = entries[frame.next]
    ) {
      const { metadata } = entry;
      if (this.#options.withMetadata && metadata === undefined) return undefined;
      frame.next++;
      if (this.#leavesOut(frame, entry)) continue;
      this.#given++;
      const path = joinPath(frame.directory, entry.name);
      return this.#options.withMetadata && metadata !== undefined ? { path, metadata } : { path };
    }
    return undefined;
  }

  async #step(): Promise<FileEntry | undefined | "end"> {
    throwIfCancelled(this.#options.signal);
    if (performance.now() - this.#sliceStartMs > sliceMs) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      this.#sliceStartMs = performance.now();
      throwIfCancelled(this.#options.signal);
    }
    const frame = this.#stack.at(-1);
    if (frame === undefined || this.#state === "done") return "end";
    const entry = frame.entries[frame.next];
    if (entry === undefined) {
      this.#stack.pop();
      return undefined;
    }
    if (this.#given >= (this.#options.maxFiles ?? Number.POSITIVE_INFINITY)) {
      this.#omitted.limited = true;
      return "end";
    }
    frame.next++;
    if (this.#leavesOut(frame, entry)) return undefined;
    const path = joinPath(frame.directory, entry.name);
    if (entry.kind === "directory") {
      if (this.#options.enters?.(path) !== false) await this.#enter(path, frame.ignore, false);
      return undefined;
    }
    return this.#give(path, entry);
  }

  async #give(path: string, entry: ListedEntry): Promise<FileEntry | undefined> {
    if (!this.#options.withMetadata) {
      this.#given++;
      return { path };
    }
    try {
      const answer = entry.metadata ?? this.#source.metadata(path);
      const metadata = answer instanceof Promise ? await answer : answer;
      this.#given++;
      return { path, metadata };
    } catch (error) {
      this.#countLost(error);
      return undefined;
    }
  }

  /** Decides by name and kind alone and counts what it leaves out. */
  #leavesOut(frame: Frame, entry: ListedEntry): boolean {
    const countedAs = this.#whyLeftOut(frame, entry);
    if (countedAs === undefined) return false;
    this.#omitted[countedAs]++;
    this.#options.onLeftOut?.(frame.directory, countedAs);
    return true;
  }

  #whyLeftOut(frame: Frame, { name, kind }: ListedEntry): LeftOutEntry | undefined {
    if (this.#skipNames.has(name)) return "skipped";
    if (!isAddressableName(name, this.#source.style)) return "unaddressable";
    if (kind === "symlink") return "symlinks";
    if (kind === "other") return "special";
    if (name.startsWith(temporaryPrefix)) return "temporary";
    const path = joinPath(frame.directory, name);
    if (isIgnored(frame.ignore, path, name, kind === "directory"))
      return kind === "directory" ? "ignoredDirectories" : "ignoredFiles";
    if (kind !== "directory" && this.#wanted !== undefined && !this.#wanted(path, name)) return "filtered";
    return undefined;
  }

  async #enter(directory: string, outer: RulesInForce, isStart: boolean): Promise<void> {
    let entries: ListedEntry[];
    let stamp: DirectoryStamp | undefined;
    let { git, own } = outer;
    try {
      if (this.#options.onDirectory !== undefined) stamp = this.#source.stampOf?.(directory);
      const listed = this.#source.list(directory);
      entries = listed instanceof Promise ? await listed : listed;
      const { ownIgnoreFile } = this.#options;
      if (entries.some(({ name }) => name === ownIgnoreFile)) own = await this.#ignoreFiles.ownRulesIn(directory, own);
    } catch (error) {
      if (isStart) throw error;
      return this.#countLost(error);
    }
    entries = listedOnce(entries.sort(byName));
    this.#options.onDirectory?.(directory, entries, stamp);
    const hasRules = entries.some((entry) => entry.name === ".gitignore" && entry.kind === "file");
    if (hasRules) git = await this.#ignoreFiles.rulesIn(directory, git);
    const ignore = git === outer.git && own === outer.own ? outer : { git, own };
    this.#stack.push({ directory, entries, next: 0, ignore });
  }

  #countLost(error: unknown): void {
    if (isProjectFilesError(error, "NotFound", "NotADirectory", "NotAFile", "OutsideRoot")) this.#omitted.vanished++;
    else if (isProjectFilesError(error, "AccessDenied", "TooLarge")) this.#omitted.unreadable++;
    else if (error instanceof ProjectFilesError) throw error;
    else throw new ProjectFilesError("StorageFailed", { cause: error });
  }
}

/** Some network disks list a name twice while a directory changes. As a file and as a directory it may be there both. */
function listedOnce(sorted: ListedEntry[]): ListedEntry[] {
  const isAgain = ({ name, kind }: ListedEntry, at: number) =>
    name === sorted[at - 1]?.name && kind === sorted[at - 1]?.kind;
  return sorted.some(isAgain) ? sorted.filter((entry, at) => !isAgain(entry, at)) : sorted;
}

function byName(a: ListedEntry, b: ListedEntry): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
