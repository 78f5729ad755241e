import { contentHash } from "../../files/content-hash.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import { AccessError } from "../errors.ts";
import type { AccessStore, FileState, FileVersion, JournalEntry, JournalStep } from "../store/access-store.ts";
import { type FoundFile, findFile } from "./file-on-disk.ts";
import { isTornWrite } from "./torn-write.ts";
import { writeFailure } from "./write-failure.ts";

/** What a file is to become, and exactly what it must still be. */
export interface FileChange {
  /** Canonical. */
  readonly path: string;
  readonly before: FoundFile | null;
  /** Null: delete it. Without a mode the file keeps its own. */
  readonly after: { readonly bytes: Uint8Array; readonly mode?: number } | null;
}

export interface ChangeContext {
  readonly caller: string;
  readonly tool: string;
}

export interface ChangeApplierOptions {
  readonly files: ProjectFiles;
  readonly store: AccessStore;
  readonly now: () => number;
  /** Ids that sort by time. */
  readonly newId: () => string;
}

/** What recovery did about changes that were interrupted. */
export interface Recovery {
  readonly completed: number;
  readonly undone: number;
  /** Files somebody else has changed since; they were left as they are. */
  readonly leftAlone: readonly string[];
}

/** Which of its two states a file is in; `torn` between them, `other` when somebody else wrote. */
interface StepState {
  readonly kind: "before" | "after" | "both" | "torn" | "other";
  readonly fsVersion?: string | undefined;
}

/** Who has made what no tool has. */
const onDisk: ChangeContext = { caller: "disk", tool: "observed" };
/** Permission bits of a new file when nothing says otherwise. */
const newFileMode = 0o644;

/**
 * Changes several files, all or none.
 *
 *     contents + journal ──▶ file 1 ──▶ file 2 ──▶ … ──▶ versions, journal closed
 *          (one transaction)   │ failure: the files before it are put back         (one transaction)
 *                              ╳ killed: `recover` at the next start completes the change when its last
 *                                file was written, else puts back what was
 *
 * Every write is a compare-and-swap on the state the change was computed from. Callers hold the locks of the paths.
 */
export class ChangeApplier {
  readonly #files: ProjectFiles;
  readonly #store: AccessStore;
  readonly #now: () => number;
  readonly #newId: () => string;

  constructor({ files, store, now, newId }: ChangeApplierOptions) {
    this.#files = files;
    this.#store = store;
    this.#now = now;
    this.#newId = newId;
  }

  /**
   * @param within run in the transaction that records the new versions: what it stores is stored with them or not at all
   * @returns the new versions, in the order of `changes`
   * @throws AccessError `conflict` (a file is not what it was), `disk_full`, `no_permission`, `not_a_directory`, `write_failed`;
   * nothing is changed then. `recovery_needed` when putting back failed as well
   */
  async apply(
    changes: readonly FileChange[],
    context: ChangeContext,
    within: (versions: readonly FileVersion[]) => void = () => undefined,
  ): Promise<FileVersion[]> {
    const entry = this.#begin(changes, context);
    const done: FileChange[] = [];
    // What goes away goes last: until then a move has its content in two places rather than in none.
    const ordered = [...changes].sort((a, b) => Number(a.after === null) - Number(b.after === null));
    try {
      for (const change of ordered) {
        done.push(change);
        await this.#step(change).catch((error: unknown) => {
          // Refused before anything was written. That the file reads as this change would have it is somebody else's doing.
          if (isProjectFilesError(error, "Conflict")) done.pop();
          throw error;
        });
      }
      return this.#finish(entry, within);
    } catch (error) {
      return this.#undo(entry, done.toReversed(), error);
    }
  }

  /**
   * Completes or puts back changes that a killed process left behind. Run it before anything else, under the lease.
   *
   * @param within as for `apply`; without versions for a change that was put back, and with the paths of it that were left alone
   */
  async recover(
    within: (entry: JournalEntry, versions: readonly FileVersion[], leftAlone: readonly string[]) => void = () =>
      undefined,
  ): Promise<Recovery> {
    let [completed, undone] = [0, 0];
    const allLeftAlone: string[] = [];
    for (const entry of this.#store.journal.open()) {
      const states = await Promise.all(entry.steps.map((step) => this.#stateOf(step)));
      if (states.every(({ kind }) => kind === "after" || kind === "both")) {
        this.#finish(entry, (versions) => within(entry, versions, []));
        completed++;
        continue;
      }
      const leftAlone: string[] = [];
      for (const [index, step] of entry.steps.entries()) {
        if (states[index]?.kind === "other") leftAlone.push(step.path);
        else await this.#putBack(step, states[index]);
      }
      this.#store.transaction(() => {
        this.#store.journal.end(entry.id);
        within(entry, [], leftAlone);
      });
      allLeftAlone.push(...leftAlone);
      undone++;
    }
    return { completed, undone, leftAlone: allLeftAlone };
  }

  /**
   * Makes what other programs left of files their newest versions, so that histories have no gap: all or none.
   *
   * @param found the files as they are, their contents stored; null: it is gone
   * @param within run in the transaction that records them, with what is new; `before` of each is its version until then
   */
  observe(
    found: ReadonlyMap<string, FileState | null>,
    within: (observed: readonly { readonly version: FileVersion; readonly before: string | null }[]) => void,
  ): void {
    this.#store.transaction(() => {
      const observed = [...found].flatMap(([path, state]) => {
        const [latest] = this.#store.versions.list(path, 1);
        if ((latest?.hash ?? null) === (state?.hash ?? null)) return [];
        return [{ version: this.#addVersion(path, state, latest, onDisk), before: latest?.hash ?? null }];
      });
      within(observed);
    });
  }

  #begin(changes: readonly FileChange[], { caller, tool }: ChangeContext): JournalEntry {
    const steps = changes.map(({ path, before, after }): JournalStep => {
      const mode = after?.mode ?? before?.mode ?? newFileMode;
      return {
        path,
        before: before && { hash: before.hash, mode: before.mode },
        after: after && { hash: contentHash(after.bytes), mode },
      };
    });
    const entry = { id: this.#newId(), at: this.#now(), caller, tool, steps };
    this.#store.transaction(() => {
      for (const { before, after } of changes) {
        for (const side of [before, after])
          if (side !== null) this.#store.contents.put(contentHash(side.bytes), side.bytes);
      }
      for (const step of steps) this.#recordObserved(step);
      this.#store.journal.begin(entry);
    });
    return entry;
  }

  /** A state that no version holds yet becomes one, so that it can be rolled back to: of what goes away its permissions as well. */
  #recordObserved({ path, before, after }: JournalStep): void {
    const [latest] = this.#store.versions.list(path, 1);
    const isKnown = (latest?.hash ?? null) === (before?.hash ?? null);
    if (isKnown && (after !== null || latest?.mode === before?.mode)) return;
    this.#addVersion(path, before, latest, onDisk);
  }

  #addVersion(
    path: string,
    state: FileState | null,
    parent: FileVersion | undefined,
    context: ChangeContext,
  ): FileVersion {
    const version: FileVersion = {
      id: this.#newId(),
      path,
      hash: state?.hash ?? null,
      sizeBytes: state === null ? 0 : (this.#store.contents.get(state.hash)?.length ?? 0),
      mode: state?.mode ?? null,
      beforeHash: parent?.hash ?? null,
      parentId: parent?.id ?? null,
      at: this.#now(),
      caller: context.caller,
      tool: context.tool,
    };
    this.#store.versions.add(version);
    return version;
  }

  async #step({ path, before, after }: FileChange): Promise<void> {
    if (after !== null) {
      const mode = after.mode ?? (before === null ? newFileMode : undefined);
      await this.#files.write(path, after.bytes, {
        ifVersion: before?.fsVersion ?? null,
        ...(mode === undefined ? {} : { mode }),
      });
    } else if (before !== null) await this.#files.delete(path, { ifVersion: before.fsVersion });
  }

  #finish(
    { id, steps, caller, tool }: JournalEntry,
    within: (versions: readonly FileVersion[]) => void,
  ): FileVersion[] {
    return this.#store.transaction(() => {
      const versions = steps.map(({ path, after }) => {
        const [parent] = this.#store.versions.list(path, 1);
        return this.#addVersion(path, after, parent, { caller, tool });
      });
      this.#store.journal.end(id);
      within(versions);
      return versions;
    });
  }

  /** Puts back what was done and throws what went wrong. */
  async #undo(entry: JournalEntry, done: readonly FileChange[], cause: unknown): Promise<never> {
    try {
      for (const { path } of done) {
        const step = entry.steps.find((candidate) => candidate.path === path);
        if (step === undefined) continue;
        await this.#putBack(step, await this.#stateOf(step));
      }
    } catch (failure) {
      throw new AccessError("recovery_needed", {}, failure);
    }
    this.#store.journal.end(entry.id);
    throw writeFailure(cause);
  }

  async #stateOf({ path, before, after }: JournalStep): Promise<StepState> {
    const found = await this.#found(path);
    if (found === "other") return { kind: "other" };
    const fsVersion = found?.fsVersion;
    const isBefore = found?.hash === before?.hash;
    const isAfter = found?.hash === after?.hash;
    if (isBefore || isAfter) return { kind: isBefore && isAfter ? "both" : isBefore ? "before" : "after", fsVersion };
    const [old, fresh] = [before, after].map((state) => state && this.#store.contents.get(state.hash));
    return { kind: found && old && fresh && isTornWrite(found.bytes, old, fresh) ? "torn" : "other", fsVersion };
  }

  /** Whatever is no file of ours any more, a folder or a link that leads elsewhere, somebody else has put there. */
  async #found(path: string): Promise<FoundFile | null | "other"> {
    try {
      return await findFile(this.#files, path);
    } catch (error) {
      if (isProjectFilesError(error, "NotAFile", "OutsideRoot", "TooLarge")) return "other";
      throw error;
    }
  }

  async #putBack({ path, before }: JournalStep, { kind, fsVersion }: StepState = { kind: "other" }): Promise<void> {
    if (kind !== "after" && kind !== "torn") return;
    if (before === null) {
      await this.#files.delete(path, fsVersion === undefined ? {} : { ifVersion: fsVersion });
      return;
    }
    const bytes = this.#store.contents.get(before.hash);
    if (bytes === undefined) throw new AccessError("storage_failed", { path });
    await this.#files.write(path, bytes, { mode: before.mode, ifVersion: fsVersion ?? null, evenReadOnly: true });
  }
}
