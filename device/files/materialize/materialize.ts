import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fromSystem, systemCode } from "../backends/fs/fs-errors.ts";
import { FsProjectFiles } from "../backends/fs/fs-project-files.ts";
import { contentHash } from "../content-hash.ts";
import { isProjectFilesError, ProjectFilesError, throwIfCancelled } from "../errors.ts";
import type { ProjectFiles } from "../project-files.ts";
import type { MaterializedView, MaterializeOptions, SyncChange, SyncReport } from "./materialize-types.ts";
import { type BaseStates, permissionBits, syncBack } from "./sync-back.ts";
import type { FileState } from "./three-way.ts";
import { defaultViewRoot, makeViewDirectory, type ViewDirectory } from "./view-directory.ts";

/** Copies files that are not on this disk into a directory of their own; see `ProjectFiles.materialize`. */
export async function materializeFiles(store: ProjectFiles, options: MaterializeOptions): Promise<MaterializedView> {
  const directory = await makeViewDirectory(options.temporaryRoot ?? defaultViewRoot());
  try {
    const { base, leftOut } = await fill(store, directory.files, options);
    return new TemporaryView(store, directory, base, leftOut);
  } catch (error) {
    await directory.remove();
    throw error;
  }
}

async function fill(
  store: ProjectFiles,
  root: string,
  options: MaterializeOptions,
): Promise<{ base: BaseStates; leftOut: string[] }> {
  const base = new Map<string, FileState>();
  const leftOut: string[] = [];
  let roomBytes = options.maxTotalBytes ?? 1024 ** 3;
  const walk = store.walk({
    ignoreRules: false,
    skipNames: [],
    ...(options.globs && { globs: options.globs }),
    ...(options.signal && { signal: options.signal }),
  });
  for await (const { path } of walk) {
    throwIfCancelled(options.signal);
    const copied = await copyOut(store, path, root, Math.min(options.maxFileBytes ?? roomBytes, roomBytes));
    if (copied !== undefined) {
      base.set(path, copied.state);
      roomBytes -= copied.sizeBytes;
    } else if (options.maxFileBytes !== undefined && options.maxFileBytes <= roomBytes) leftOut.push(path);
    else throw new ProjectFilesError("TooLarge", { path, detail: "the files to materialise in all" });
  }
  return { base, leftOut };
}

/** Undefined when the file is larger than `maxBytes`. */
async function copyOut(
  store: ProjectFiles,
  path: string,
  root: string,
  maxBytes: number,
): Promise<{ state: FileState; sizeBytes: number } | undefined> {
  let bytes: Uint8Array;
  let mode: number;
  try {
    mode = (await store.metadata(path)).mode & permissionBits;
    bytes = await store.read(path, { maxBytes });
  } catch (error) {
    if (isProjectFilesError(error, "TooLarge")) return undefined;
    throw error;
  }
  const target = join(root, path);
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    // Exclusive: on a disk that folds case, README and readme would silently become one.
    await writeFile(target, bytes, { flag: "wx", mode: 0o600 });
    await chmod(target, mode);
  } catch (error) {
    const detail = systemCode(error) === "EEXIST" ? "this disk folds its name with another file's" : "copying out";
    throw new ProjectFilesError(fromSystem(error, path).code, { path, detail, cause: error });
  }
  return { state: { hash: contentHash(bytes), mode }, sizeBytes: bytes.length };
}

class TemporaryView implements MaterializedView {
  readonly root: string;
  readonly isProject = false;
  readonly leftOut: readonly string[];
  readonly #store: ProjectFiles;
  readonly #directory: ViewDirectory;
  readonly #base: BaseStates;
  #report: SyncReport | undefined;

  constructor(store: ProjectFiles, directory: ViewDirectory, base: BaseStates, leftOut: readonly string[]) {
    this.root = directory.files;
    this.leftOut = leftOut;
    this.#store = store;
    this.#directory = directory;
    this.#base = base;
  }

  async plan(): Promise<SyncReport> {
    const changes: SyncChange[] = [];
    await this.#sync(false, changes);
    return { changes, applied: false };
  }

  async close(): Promise<SyncReport> {
    if (this.#report !== undefined) return this.#report;
    const changes: SyncChange[] = [];
    try {
      await this.#sync(true, changes);
    } catch (cause) {
      const detail = `${changes.length} changes were made before; the files are still in ${this.root}`;
      throw new ProjectFilesError("SyncFailed", { detail, cause });
    }
    this.#report = { changes, applied: true };
    await this.#directory.remove();
    return this.#report;
  }

  async discard(): Promise<void> {
    this.#report ??= { changes: [], applied: false };
    await this.#directory.remove();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #sync(apply: boolean, changes: SyncChange[]): Promise<void> {
    const view = new FsProjectFiles(this.root, { ripgrep: false });
    const onChange = (change: SyncChange) => void changes.push(change);
    await syncBack(view, this.#store, this.#base, { apply, marker: this.#directory.id, onChange });
  }
}
