import { ProjectFilesError } from "../../errors.ts";
import type { FileMetadata } from "../../file-metadata.ts";
import { grepTree, readingSearcher } from "../../grep/grep.ts";
import type { GrepOptions, GrepStream } from "../../grep/grep-types.ts";
import { KeyedLock } from "../../keyed-lock.ts";
import { materializeFiles } from "../../materialize/materialize.ts";
import type { MaterializedView, MaterializeOptions } from "../../materialize/materialize-types.ts";
import { openView } from "../../materialize/open-view.ts";
import { exactNames } from "../../paths/containment.ts";
import { canonicalPath, joinPath, type PathStyle, segmentsOf } from "../../paths/project-path.ts";
import type {
  DeleteOptions,
  DirEntry,
  ProjectFiles,
  ReadOptions,
  RemoteFiles,
  WriteOptions,
} from "../../project-files.ts";
import { refuseReadOnly } from "../../read-only-file.ts";
import { walkTree } from "../../walk/walk.ts";
import type { FileWalk, ListedEntry, WalkOptions, WalkSource } from "../../walk/walk-types.ts";
import type { ObjectHead, ObjectStorage, PutOptions } from "./object-storage.ts";

const maxKeyBytes = 1_024;
const defaultMode = 0o644;

export interface S3ProjectFilesOptions {
  /** Shown to people. */
  bucket: string;
  /** Directory of the project in the bucket, without slashes at its ends; "" for the whole bucket. */
  prefix: string;
  style?: PathStyle;
  /** Default false. */
  isReadOnly?: boolean;
  /** Default 512 MiB. */
  maxFileBytes?: number;
}

/**
 * A prefix in a bucket that the person owns. Directories are prefixes of keys: they exist while something lies under them.
 * An object's etag is its version, and conditional writes keep concurrent writers from losing each other's change.
 * Of the device: the deployed stack never makes one.
 */
export class S3ProjectFiles implements ProjectFiles, RemoteFiles {
  readonly displayRoot: string;
  readonly folding = exactNames;
  readonly isReadOnly: boolean;
  readonly requestsAtOnce = 8;
  readonly #storage: ObjectStorage;
  readonly #prefix: string;
  readonly #style: PathStyle;
  readonly #maxFileBytes: number;
  readonly #locks = new KeyedLock();

  constructor(storage: ObjectStorage, options: S3ProjectFilesOptions) {
    const prefix = canonicalPath(options.prefix, "posix");
    this.displayRoot = `s3://${options.bucket}/${prefix}`;
    this.isReadOnly = options.isReadOnly ?? false;
    this.#storage = storage;
    this.#prefix = prefix === "" ? "" : `${prefix}/`;
    this.#style = options.style ?? "posix";
    this.#maxFileBytes = options.maxFileBytes ?? 512 * 1024 * 1024;
  }

  async read(path: string, { range, maxBytes = this.#maxFileBytes }: ReadOptions = {}): Promise<Uint8Array> {
    const key = this.#key(path);
    if (range !== undefined && range.endByte <= range.startByte) {
      await this.#file(path);
      return new Uint8Array();
    }
    const options = { range, maxBytes: Math.min(maxBytes, this.#maxFileBytes) };
    const stored = this.#isRoot(path) ? undefined : await this.#storage.get(key, options);
    if (stored === undefined) throw await this.#absent(path);
    return stored.bytes;
  }

  async write(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<void> {
    const key = this.#key(path);
    this.#requireWritable(path);
    await this.#locks.run(key, async () => {
      const before = path === "" ? undefined : await this.#headOf(path);
      if (before === undefined) await this.#checkPlace(path);
      const version = before?.etag ?? null;
      if (options.ifVersion !== undefined && options.ifVersion !== version) {
        throw new ProjectFilesError("Conflict", { path });
      }
      refuseReadOnly(path, before?.mode, options);
      const condition: Partial<PutOptions> =
        options.ifVersion === undefined ? {} : before === undefined ? { ifNoneMatch: "*" } : { ifMatch: before.etag };
      const mode = options.mode ?? before?.mode ?? defaultMode;
      const etag = await this.#storage.put(key, bytes, { mode, ...condition });
      if (etag === undefined) throw new ProjectFilesError("Conflict", { path });
    });
  }

  async exists(path: string): Promise<boolean> {
    this.#key(path);
    return (await this.#headOf(path)) !== undefined || (await this.#isDirectory(path));
  }

  async metadata(path: string): Promise<FileMetadata> {
    this.#key(path);
    const head = await this.#headOf(path);
    if (head !== undefined) return metadataOf(head);
    const isThere = this.#isRoot(path) ? await this.#hasRoot() : await this.#isDirectory(path);
    if (!isThere) throw new ProjectFilesError("NotFound", { path });
    return { kind: "directory", sizeBytes: 0, mtimeMs: 0, mode: 0o755, version: "" };
  }

  async listDir(path: string): Promise<DirEntry[]> {
    const entries = await this.#list(canonicalPath(path, this.#style));
    const named = entries.filter(({ name }) => name !== "");
    return named.map(({ name, kind }) => ({ path: name, kind })).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  walk(options: WalkOptions = {}): FileWalk {
    const source: WalkSource = {
      style: this.#style,
      foldsCase: this.folding.foldsCase,
      list: (directory) => this.#list(directory),
      read: (path) => this.read(path),
      metadata: (path) => this.metadata(path),
    };
    return walkTree(() => source, options);
  }

  async delete(path: string, options: DeleteOptions = {}): Promise<void> {
    const key = this.#key(path);
    this.#requireWritable(path);
    await this.#locks.run(key, async () => {
      const head = await this.#file(path);
      const holds = options.ifVersion === undefined || options.ifVersion === head.etag;
      if (!holds || !(await this.#storage.delete(key, options.ifVersion))) {
        throw new ProjectFilesError("Conflict", { path });
      }
    });
  }

  /** A directory is moved object by object: an interruption leaves some at each end, none lost. */
  async rename(from: string, to: string): Promise<void> {
    const source = canonicalPath(from, this.#style);
    const target = canonicalPath(to, this.#style);
    this.#requireWritable(to);
    if (!(await this.exists(source))) throw new ProjectFilesError("NotFound", { path: from });
    if (source === "" || target.startsWith(`${source}/`)) throw new ProjectFilesError("InvalidPath", { path: to });
    if (await this.exists(target)) throw new ProjectFilesError("Conflict", { path: to });
    await this.#checkPlace(target);
    if ((await this.#headOf(source)) !== undefined) return this.#moveObject(source, target, to);
    for await (const { path } of this.walk({ under: source, ignoreRules: false, skipNames: [] })) {
      await this.#moveObject(path, joinPath(target, path.slice(source.length + 1)), to);
    }
  }

  grep(pattern: string, options: GrepOptions = {}): GrepStream {
    return grepTree(this, pattern, options, (compiled) => readingSearcher(this, compiled, this.requestsAtOnce));
  }

  materialize(options: MaterializeOptions = {}): Promise<MaterializedView> {
    return materializeFiles(this, options, openView);
  }

  async canonical(path: string): Promise<string> {
    return canonicalPath(path, this.#style);
  }

  #requireWritable(path: string): void {
    if (this.isReadOnly) throw new ProjectFilesError("ReadOnly", { path });
  }

  #key(path: string): string {
    const key = this.#prefix + canonicalPath(path, this.#style);
    if (Buffer.byteLength(key) > maxKeyBytes) {
      throw new ProjectFilesError("InvalidPath", { path, detail: `key longer than ${maxKeyBytes} bytes` });
    }
    return key;
  }

  async #headOf(path: string): Promise<ObjectHead | undefined> {
    return this.#isRoot(path) ? undefined : this.#storage.head(this.#key(path));
  }

  async #file(path: string): Promise<ObjectHead> {
    this.#key(path);
    const head = await this.#headOf(path);
    if (head !== undefined) return head;
    throw await this.#absent(path);
  }

  async #absent(path: string): Promise<ProjectFilesError> {
    return new ProjectFilesError((await this.#isDirectory(path)) ? "NotAFile" : "NotFound", { path });
  }

  #isRoot(path: string): boolean {
    return canonicalPath(path, this.#style) === "";
  }

  #directoryKey(path: string): string {
    const canonical = canonicalPath(path, this.#style);
    return canonical === "" ? this.#prefix : `${this.#prefix}${canonical}/`;
  }

  async #isDirectory(path: string): Promise<boolean> {
    return this.#isRoot(path) || this.#holdsAny(this.#directoryKey(path));
  }

  /** A bucket is there without anything in it, a prefix is not: that may as well be another one, misspelt. */
  async #hasRoot(): Promise<boolean> {
    return (await this.#holdsAny(this.#prefix)) || this.#prefix === "";
  }

  async #holdsAny(prefix: string): Promise<boolean> {
    for await (const _ of this.#storage.list(prefix, 1)) return true;
    return false;
  }

  /** Throws when something that is there keeps a new file from being made. */
  async #checkPlace(path: string): Promise<void> {
    if (await this.#isDirectory(path)) throw new ProjectFilesError("NotAFile", { path });
    const segments = segmentsOf(canonicalPath(path, this.#style));
    const above = segments.slice(0, -1).map((_, depth) => segments.slice(0, depth + 1).join("/"));
    const heads = await Promise.all(above.map((directory) => this.#headOf(directory)));
    if (heads.some((head) => head !== undefined)) throw new ProjectFilesError("NotADirectory", { path });
  }

  /** Names as they are, also those no path can have: "a//b" has an empty one, and an object may be called as a directory is. */
  async #list(path: string): Promise<ListedEntry[]> {
    const directory = this.#directoryKey(path);
    const entries = new Map<string, ListedEntry>();
    let any = false;
    for await (const listed of this.#storage.list(directory)) {
      any = true;
      const name = listed.key.slice(directory.length).replace(/\/$/, "");
      if (listed.kind === "prefix") entries.set(`${name}/`, { name, kind: "directory" });
      // The empty objects some consoles make for a folder are none of its files.
      else if (listed.key !== directory) entries.set(name, { name, kind: "file", metadata: metadataOf(listed) });
    }
    if (any || path === "") return [...entries.values()];
    throw new ProjectFilesError((await this.#headOf(path)) ? "NotADirectory" : "NotFound", { path });
  }

  async #moveObject(from: string, to: string, asked: string): Promise<void> {
    const stored = await this.#storage.get(this.#key(from));
    if (stored === undefined) throw new ProjectFilesError("NotFound", { path: from });
    const options: PutOptions = { mode: stored.mode ?? defaultMode, ifNoneMatch: "*" };
    if ((await this.#storage.put(this.#key(to), stored.bytes, options)) === undefined) {
      throw new ProjectFilesError("Conflict", { path: asked });
    }
    // Changed since it was copied: both stay, the newer one under its old name.
    if (!(await this.#storage.delete(this.#key(from), stored.etag))) {
      throw new ProjectFilesError("Conflict", { path: from });
    }
  }
}

/** A listing says nothing of the mode. */
function metadataOf({ sizeBytes, modifiedMs, etag, mode }: Omit<ObjectHead, "mode"> & { mode?: number | undefined }) {
  return {
    kind: "file",
    sizeBytes,
    mtimeMs: modifiedMs,
    mode: mode ?? defaultMode,
    version: etag,
  } satisfies FileMetadata;
}
