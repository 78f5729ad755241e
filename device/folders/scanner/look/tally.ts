import type { LeftOutEntry } from "../../../files/walk/walk-types.ts";
import { isLeftOutReason, type LeftOut, type LeftOutReason } from "../reasons.ts";
import type { ScannedDirectory } from "./scanned-directory.ts";

/** Counts what a scan leaves out. */
export class Tally {
  readonly #byReason = new Map<LeftOutReason, number>();
  readonly #unsupported = new Map<string, number>();
  readonly #maxTypes: number;

  constructor(maxTypes: number) {
    this.#maxTypes = maxTypes;
  }

  add(reason: LeftOutReason, count = 1): void {
    if (count > 0) this.#byReason.set(reason, (this.#byReason.get(reason) ?? 0) + count);
  }

  addUnsupported(extension: string): void {
    this.add("unsupported");
    this.#addType(extension, 1);
  }

  addAll({ byReason, unsupported }: LeftOut): void {
    for (const [reason, count] of Object.entries(byReason)) if (isLeftOutReason(reason)) this.add(reason, count);
    for (const [extension, count] of Object.entries(unsupported)) this.#addType(extension, count);
  }

  total(): LeftOut {
    return { byReason: Object.fromEntries(this.#byReason), unsupported: Object.fromEntries(this.#unsupported) };
  }

  #addType(extension: string, count: number): void {
    const isNew = !this.#unsupported.has(extension);
    const key = isNew && this.#unsupported.size >= this.#maxTypes ? "*" : extension;
    this.#unsupported.set(key, (this.#unsupported.get(key) ?? 0) + count);
  }
}

/** What an entry that a walk leaves out is counted as; nobody is told of git's own folder and of writes in progress. */
const reasonOf: Partial<Record<LeftOutEntry, LeftOutReason>> = {
  ignoredFiles: "ignored",
  ignoredDirectories: "ignored_folders",
  symlinks: "symlink",
  special: "special",
  unaddressable: "unaddressable",
};

/** Counts by directory, so that one that has changed can be counted anew without the others. */
export class DirectoryTallies {
  readonly #byDirectory = new Map<string, Tally>();
  readonly #maxTypes: number;

  constructor(maxTypes: number) {
    this.#maxTypes = maxTypes;
  }

  in(directory: string): Tally {
    const known = this.#byDirectory.get(directory);
    if (known !== undefined) return known;
    const made = new Tally(this.#maxTypes);
    this.#byDirectory.set(directory, made);
    return made;
  }

  addEntry(directory: string, countedAs: LeftOutEntry): void {
    const reason = reasonOf[countedAs];
    if (reason !== undefined) this.in(directory).add(reason);
  }

  /** The directory with what was counted in it. */
  with(directory: ScannedDirectory): ScannedDirectory {
    const leftOut = this.#byDirectory.get(directory.path)?.total();
    return leftOut === undefined ? directory : { ...directory, leftOut };
  }

  total(): Tally {
    const sum = new Tally(this.#maxTypes);
    for (const tally of this.#byDirectory.values()) sum.addAll(tally.total());
    return sum;
  }
}
