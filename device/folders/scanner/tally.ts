import type { WalkOmissions } from "../../files/walk/walk-types.ts";
import { isLeftOutReason, type LeftOut, type LeftOutReason } from "./reasons.ts";

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
    const isNew = !this.#unsupported.has(extension);
    const key = isNew && this.#unsupported.size >= this.#maxTypes ? "*" : extension;
    this.#unsupported.set(key, (this.#unsupported.get(key) ?? 0) + 1);
  }

  addWalk(omitted: WalkOmissions): void {
    this.add("ignored", omitted.ignoredFiles);
    this.add("ignored_folders", omitted.ignoredDirectories);
    this.add("symlink", omitted.symlinks);
    this.add("special", omitted.special);
    this.add("unaddressable", omitted.unaddressable);
    this.add("vanished", omitted.vanished);
    this.add("unreadable_folders", omitted.unreadable);
  }

  addAll({ byReason, unsupported }: LeftOut): void {
    for (const [reason, count] of Object.entries(byReason)) if (isLeftOutReason(reason)) this.add(reason, count);
    for (const [extension, count] of Object.entries(unsupported)) this.#unsupported.set(extension, count);
  }

  total(): LeftOut {
    return { byReason: Object.fromEntries(this.#byReason), unsupported: Object.fromEntries(this.#unsupported) };
  }
}
