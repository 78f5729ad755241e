import { wholeCharacters } from "../../../shared/text/whole-characters.ts";
import { contentHash } from "../content-hash.ts";
import { isProjectFilesError, ProjectFilesError } from "../errors.ts";
import { joinPath, nameOf, parentOf } from "../paths/project-path.ts";
import type { DirEntry, ProjectFiles } from "../project-files.ts";
import type { FileState, SyncChange } from "./materialize-types.ts";
import { type Decision, decide, isSameState } from "./three-way.ts";

/** What a view looked like when it was made, for every file copied into it. */
export type BaseStates = ReadonlyMap<string, FileState>;

/** What changes are brought back to. */
export type SyncStore = Pick<ProjectFiles, "metadata" | "read" | "write" | "delete">;

export interface SyncOptions {
  readonly apply: boolean;
  /** Tells conflict copies of different views apart. */
  readonly marker: string;
  /** Called as soon as a change has been made. */
  readonly onChange: (change: SyncChange) => void;
  /** See `CloseOptions.approved`. */
  readonly approved?: ReadonlyMap<string, FileState | null> | undefined;
  /** Whether a link in the view is one that was copied into it, as it was. */
  readonly isKnownLink: (path: string) => Promise<boolean>;
}

interface StoredState extends FileState {
  version: string;
}

/** Set-user-id and its like do not travel. */
export const permissionBits = 0o777;

/** Of a name of 255 bytes so many characters leave room for the mark, in any script. What is longer behind a dot is no ending. */
const longestStem = 60;
const longestEnding = 16;

/** Times one path is looked at again because the store changed between look and write. */
const maxAttempts = 5;

/**
 * Compares base, view and store, and, when `apply`, brings the store up to date. Every write names the version it was
 * decided on, so a change made meanwhile is met again and decided again, never overwritten.
 */
export async function syncBack(
  view: ProjectFiles,
  store: SyncStore,
  base: BaseStates,
  options: SyncOptions,
): Promise<void> {
  const { present, skipped } = await scan(view);
  const run = new SyncRun(view, store, base, options);
  for (const change of skipped) {
    if (change.reason !== "symlink" || !(await options.isKnownLink(change.path))) options.onChange(change);
  }
  const paths = [...new Set([...base.keys(), ...present])].sort();
  // Deletions first: a file may have become a directory or the reverse.
  const inView = new Set(present);
  // What a link or pipe has taken the place of was not deleted.
  const hidden = skipped.map((change) => change.path);
  const isHidden = (path: string) => hidden.some((taken) => path === taken || path.startsWith(`${taken}/`));
  for (const path of paths) if (!inView.has(path) && !isHidden(path)) await run.settle(path, true);
  for (const path of paths) if (inView.has(path)) await run.settle(path, false);
}

type Skipped = Extract<SyncChange, { action: "skip" }>;

/** Everything in the view, ignore rules notwithstanding: a tool's output is often in ignored places. */
async function scan(view: ProjectFiles): Promise<{ present: string[]; skipped: Skipped[] }> {
  const present: string[] = [];
  const skipped: Skipped[] = [];
  const pending = [""];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    const entries = await entriesOf(view, directory);
    if (entries === undefined) skipped.push({ path: directory, action: "skip", reason: "unreadable" });
    for (const entry of entries ?? []) {
      const path = joinPath(directory, entry.path);
      if (entry.path.includes("\ufffd")) skipped.push({ path, action: "skip", reason: "unaddressable" });
      else if (entry.kind === "directory") pending.push(path);
      else if (entry.kind === "file") present.push(path);
      else skipped.push({ path, action: "skip", reason: entry.kind === "symlink" ? "symlink" : "special" });
    }
  }
  return { present, skipped };
}

/** Undefined for a directory whose permissions were taken away: nothing in it was deleted for that. */
async function entriesOf(view: ProjectFiles, directory: string): Promise<DirEntry[] | undefined> {
  try {
    return await view.listDir(directory);
  } catch (error) {
    if (directory !== "" && isProjectFilesError(error, "AccessDenied")) return undefined;
    throw error;
  }
}

class SyncRun {
  readonly #view: ProjectFiles;
  readonly #store: SyncStore;
  readonly #base: BaseStates;
  readonly #options: SyncOptions;

  constructor(view: ProjectFiles, store: SyncStore, base: BaseStates, options: SyncOptions) {
    this.#view = view;
    this.#store = store;
    this.#base = base;
    this.#options = options;
  }

  async settle(path: string, isGone: boolean): Promise<void> {
    let bytes: Uint8Array | undefined;
    try {
      bytes = isGone ? undefined : await this.#view.read(path);
    } catch (error) {
      if (!isProjectFilesError(error, "TooLarge", "AccessDenied")) throw error;
      const reason = error.code === "TooLarge" ? "too-large" : "unreadable";
      return this.#options.onChange({ path, action: "skip", reason });
    }
    const own = bytes && { hash: contentHash(bytes), mode: (await this.#view.metadata(path)).mode & permissionBits };
    const base = this.#base.get(path);
    if (own !== undefined && isSameState(own, base)) return;
    const refusal = this.#refusalOf(path, own);
    if (refusal !== undefined) return this.#options.onChange({ path, action: "skip", reason: refusal });
    // A new file brings its mode, an old one only when the view changed it.
    const mode = base?.mode === own?.mode ? undefined : own?.mode;
    for (let attempt = 1; ; attempt++) {
      let stored: StoredState | undefined;
      try {
        stored = await this.#stored(path);
        const decision = decide(base, own && { ...own, mode: this.#modeFor(own, base, stored) }, stored);
        const change = await this.#carryOut(path, decision, stored, own, bytes, mode);
        if (change !== undefined) this.#options.onChange(change);
        return;
      } catch (error) {
        const raced = isProjectFilesError(error, "Conflict", "NotFound");
        if (raced && attempt < maxAttempts) continue;
        // A file that is read-only stays as it is; what would have been there is kept beside it.
        const isShut = bytes !== undefined && isProjectFilesError(error, "AccessDenied");
        const codes = ["NotAFile", "NotADirectory", "InvalidPath", "OutsideRoot", "TooLarge"] as const;
        if (!raced && !isShut && !isProjectFilesError(error, ...codes)) throw error;
        this.#options.onChange(await this.#blocked(path, own, bytes, mode));
        return;
      }
    }
  }

  /** Why a change may not go back, where only some may. */
  #refusalOf(path: string, own: FileState | undefined): "not-approved" | "changed-since" | undefined {
    const { approved } = this.#options;
    if (approved === undefined) return undefined;
    const state = approved.get(path);
    if (state === undefined) return "not-approved";
    return isSameState(state, own) ? undefined : "changed-since";
  }

  /** A mode the view did not touch is no change against a store where somebody else changed it, nor for a new file. */
  #modeFor(own: FileState, base: FileState | undefined, stored: FileState | undefined): number {
    const touched = base !== undefined && base.mode !== own.mode;
    return touched ? own.mode : (stored?.mode ?? base?.mode ?? own.mode);
  }

  async #stored(path: string): Promise<StoredState | undefined> {
    try {
      const { kind, mode, version } = await this.#store.metadata(path);
      if (kind !== "file") throw new ProjectFilesError("NotAFile", { path });
      return { hash: contentHash(await this.#store.read(path)), mode: mode & permissionBits, version };
    } catch (error) {
      if (isProjectFilesError(error, "NotFound")) return undefined;
      throw error;
    }
  }

  async #carryOut(
    path: string,
    decision: Decision,
    stored: StoredState | undefined,
    after: FileState | undefined,
    bytes: Uint8Array | undefined,
    mode: number | undefined,
  ): Promise<SyncChange | undefined> {
    const { apply } = this.#options;
    if (decision.action === "keep") return undefined;
    if (decision.action === "conflict") {
      const kept =
        decision.hasOwnVersion && bytes !== undefined ? await this.#keepBeside(path, bytes, mode) : undefined;
      return { path, action: "conflict", reason: decision.reason, keptBeside: kept, after: after ?? null };
    }
    if (apply && decision.action === "delete") {
      await this.#store.delete(path, stored && { ifVersion: stored.version });
    } else if (apply && bytes !== undefined) {
      await this.#store.write(path, bytes, { ifVersion: stored?.version ?? null, ...(mode !== undefined && { mode }) });
    }
    return { path, action: decision.action, after: after ?? null };
  }

  /** The store cannot take the path, or never stood still. */
  async #blocked(
    path: string,
    after: FileState | undefined,
    bytes: Uint8Array | undefined,
    mode: number | undefined,
  ): Promise<SyncChange> {
    const kept = bytes === undefined ? undefined : await this.#keepBeside(path, bytes, mode);
    return { path, action: "conflict", reason: "blocked", keptBeside: kept, after: after ?? null };
  }

  /** `notes.md` becomes `notes.conflict-x7Qa2B.md`, in the nearest directory above that the store can hold it in. */
  async #keepBeside(path: string, bytes: Uint8Array, mode: number | undefined): Promise<string> {
    const name = nameOf(path);
    const dot = name.lastIndexOf(".");
    const ending = dot > 0 && name.length - dot <= longestEnding ? name.slice(dot) : "";
    const stem = wholeCharacters(name.slice(0, name.length - ending.length), longestStem);
    for (let directory = parentOf(path), attempt = 0; ; attempt++) {
      const marker = attempt === 0 ? this.#options.marker : `${this.#options.marker}-${attempt}`;
      const beside = joinPath(directory, `${stem}.conflict-${marker}${ending}`);
      if (!this.#options.apply) return beside;
      try {
        await this.#store.write(beside, bytes, { ifVersion: null, ...(mode !== undefined && { mode }) });
        return beside;
      } catch (error) {
        const isBlocked = isProjectFilesError(error, "NotADirectory", "InvalidPath");
        if (isBlocked && directory !== "") directory = parentOf(directory);
        // From an attempt to close that failed later on.
        else if (isProjectFilesError(error, "Conflict") && (await this.#holds(beside, bytes))) return beside;
        else if (!isProjectFilesError(error, "Conflict", "NotAFile") || attempt > 100) throw error;
      }
    }
  }

  async #holds(path: string, bytes: Uint8Array): Promise<boolean> {
    return contentHash(await this.#store.read(path)) === contentHash(bytes);
  }
}
