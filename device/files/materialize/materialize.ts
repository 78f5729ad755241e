import { tmpdir } from "node:os";
import { ProjectFilesError } from "../errors.ts";
import type { LinkedFiles, ProjectFiles } from "../project-files.ts";
import { type FilledView, fillView } from "./fill-view.ts";
import { baseFileOf, readBase, writeBase } from "./kept-base.ts";
import type {
  CloseOptions,
  MaterializedView,
  MaterializeOptions,
  SyncChange,
  SyncReport,
} from "./materialize-types.ts";
import { type SyncStore, syncBack } from "./sync-back.ts";
import { keptViewDirectory, makeViewDirectory, type ViewDirectory } from "./view-directory.ts";

/** Opens the directory of a view. */
export type OpenView = (root: string) => ProjectFiles & LinkedFiles;

/** Copies files into a directory of their own; see `ProjectFiles.materialize`. */
export async function materializeFiles(
  store: ProjectFiles,
  options: MaterializeOptions,
  openView: OpenView,
): Promise<MaterializedView> {
  const directory = await makeViewDirectory(options.temporaryRoot ?? tmpdir());
  try {
    return new TemporaryView(store, directory, await fillView(store, directory.files, options), openView);
  } catch (error) {
    await directory.remove();
    throw error;
  }
}

/**
 * Opens a copy that was kept, to look at its changes or bring them back.
 *
 * @param path as `keep` gave it
 * @throws NotFound (it is gone, or was never kept)
 */
export async function openKeptView(store: SyncStore, path: string, openView: OpenView): Promise<MaterializedView> {
  const filled = await readBase(baseFileOf(path));
  return new TemporaryView(store, keptViewDirectory(path), filled, openView);
}

class TemporaryView implements MaterializedView {
  readonly root: string;
  readonly isProject = false;
  readonly leftOut: readonly string[];
  readonly #store: SyncStore;
  readonly #directory: ViewDirectory;
  readonly #filled: FilledView;
  readonly #openView: OpenView;
  #report: SyncReport | undefined;

  constructor(store: SyncStore, directory: ViewDirectory, filled: FilledView, openView: OpenView) {
    this.root = directory.files;
    this.leftOut = filled.leftOut;
    this.#store = store;
    this.#directory = directory;
    this.#filled = filled;
    this.#openView = openView;
  }

  async plan(): Promise<SyncReport> {
    const changes: SyncChange[] = [];
    await this.#sync(false, changes);
    return { changes, applied: false };
  }

  async close({ approved, keepsCopy = false }: CloseOptions = {}): Promise<SyncReport> {
    if (this.#report !== undefined) return this.#report;
    const changes: SyncChange[] = [];
    try {
      await this.#sync(true, changes, approved);
    } catch (cause) {
      const detail = `${changes.length} changes were made before; the files are still in ${this.root}`;
      throw new ProjectFilesError("SyncFailed", { detail, cause });
    }
    const report = { changes, applied: true };
    if (keepsCopy) return report;
    this.#report = report;
    await this.#directory.remove();
    return report;
  }

  async keep(first: (directory: string) => void): Promise<string> {
    first(this.#directory.path);
    await writeBase(baseFileOf(this.#directory.path), this.#filled);
    await this.#directory.keep();
    return this.#directory.path;
  }

  async discard(): Promise<void> {
    this.#report ??= { changes: [], applied: false };
    await this.#directory.remove();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #sync(apply: boolean, changes: SyncChange[], approved?: CloseOptions["approved"]): Promise<void> {
    const view = this.#openView(this.root);
    const { base, links } = this.#filled;
    await syncBack(view, this.#store, base, {
      apply,
      marker: this.#directory.id,
      onChange: (change) => void changes.push(change),
      approved,
      isKnownLink: async (path) => links.has(path) && (await view.linkTarget(path)) === links.get(path),
    });
  }
}
