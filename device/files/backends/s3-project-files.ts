import { ProjectFilesError } from "../errors.ts";
import type { FileMetadata } from "../file-metadata.ts";
import { grepTree, readingSearcher } from "../grep/grep.ts";
import type { GrepOptions, GrepStream } from "../grep/grep-types.ts";
import { KeyedLock } from "../keyed-lock.ts";
import { materializeFiles } from "../materialize/materialize.ts";
import type { MaterializedView, MaterializeOptions } from "../materialize/materialize-types.ts";
import { openView } from "../materialize/open-view.ts";
import { canonicalPath, joinPath, type PathStyle, segmentsOf } from "../paths/project-path.ts";
import type { DeleteOptions, DirEntry, ProjectFiles, ReadOptions, WriteOptions } from "../project-files.ts";
import { walkTree } from "../walk/walk.ts";
import type { FileWalk, ListedEntry, WalkOptions, WalkSource } from "../walk/walk-types.ts";
import type { ObjectHead, ObjectStorage, PutOptions } from "./object-storage.ts";

const maxKeyBytes = 1_024;
const defaultMode = 0o644;
/** Requests under way at once while searching. */
const requestsInFlight = 8;

export interface S3ProjectFilesOptions {
  /** Shown to people. */
  bucket: string;
  /** Directory of the project in the bucket, without slashes at its ends; "" for the whole bucket. */
  prefix: string;
  style?: PathStyle;
  /** Default 512 MiB. */
  maxFileBytes?: number;
}

/**
 * A prefix in a bucket that the person owns. Directories are prefixes of keys: they exist while something lies under them.
 * An object's etag is its version, and conditional writes keep concurrent writers from losing each other's change.
 * A library backend: the deployed stack never makes one.
 */
export class S3ProjectFiles implements ProjectFiles {
  readonly displayRoot: string;
  readonly foldsCase = false;
  readonly #storage: ObjectStorage;
  readonly #prefix: string;
  readonly #style: PathStyle;
  readonly #maxFileBytes: number;
  readonly #locks = new KeyedLock();

  constructor(storage: ObjectStorage, options: S3ProjectFilesOptions) {
    const prefix = canonicalPath(options.prefix, "posix");
    this.displayRoot = `s3://${options.bucket}/${prefix}`;
    this.#storage = storage;
    this.#prefix = prefix === "" ? "" : `${prefix}/`;
    this.#style = options.style ?? "posix";
    this.#maxFileBytes = options.maxFileBytes ?? 512 * 1024 * 1024;
  }

  async read(path: string, options: ReadOptions = {}): Promise<Uint8Array> {
    const key = this.#key(path);
    const head = await this.#file(path);
    const startByte = Math.min(options.range?.startByte ?? 0, head.sizeBytes);
    const endByte = Math.min(options.range?.endByte ?? head.sizeBytes, head.sizeBytes);
    const sizeBytes = Math.max(0, endByte - startByte);
    if (sizeBytes > Math.min(options.maxBytes ?? this.#maxFileBytes, this.#maxFileBytes)) {
      throw new ProjectFilesError("TooLarge", { path, detail: `${sizeBytes} bytes` });
    }
    if (sizeBytes === 0) return new Uint8Array();
    const stored = await this.#storage.get(key, options.range && { startByte, endByte });
    if (stored === undefined) throw new ProjectFilesError("NotFound", { path });
    return stored.bytes;
  }

  async write(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<void> {
    const key = this.#key(path);
    await this.#locks.run(key, async () => {
      const before = path === "" ? undefined : await this.#headOf(path);
      if (before === undefined) await this.#checkPlace(path);
      const version = before?.etag ?? null;
      if (options.ifVersion !== undefined && options.ifVersion !== version) {
        throw new ProjectFilesError("Conflict", { path });
      }
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
    if (!(await this.#isDirectory(path))) throw new ProjectFilesError("NotFound", { path });
    return { kind: "directory", sizeBytes: 0, mtimeMs: 0, mode: 0o755, version: "" };
  }

  async listDir(path: string): Promise<DirEntry[]> {
    const entries = await this.#list(canonicalPath(path, this.#style));
    return entries.map(({ name, kind }) => ({ path: name, kind })).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  walk(options: WalkOptions = {}): FileWalk {
    const source: WalkSource = {
      style: this.#style,
      foldsCase: false,
      list: (directory) => this.#list(directory),
      read: (path) => this.read(path),
      metadata: (path) => this.metadata(path),
    };
    return walkTree(() => source, options);
  }

  async delete(path: string, options: DeleteOptions = {}): Promise<void> {
    const key = this.#key(path);
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
    return grepTree(this, pattern, options, (compiled) => readingSearcher(this, compiled, requestsInFlight));
  }

  materialize(options: MaterializeOptions = {}): Promise<MaterializedView> {
    return materializeFiles(this, options, openView);
  }

  async canonical(path: string): Promise<string> {
    return canonicalPath(path, this.#style);
  }

  #key(path: string): string {
    const key = this.#prefix + canonicalPath(path, this.#style);
    if (Buffer.byteLength(key) > maxKeyBytes) {
      throw new ProjectFilesError("InvalidPath", { path, detail: `key longer than ${maxKeyBytes} bytes` });
    }
    return key;
  }

  async #headOf(path: string): Promise<ObjectHead | undefined> {
    return canonicalPath(path, this.#style) === "" ? undefined : this.#storage.head(this.#key(path));
  }

  async #file(path: string): Promise<ObjectHead> {
    this.#key(path);
    const head = await this.#headOf(path);
    if (head !== undefined) return head;
    throw new ProjectFilesError((await this.#isDirectory(path)) ? "NotAFile" : "NotFound", { path });
  }

  #directoryKey(path: string): string {
    const canonical = canonicalPath(path, this.#style);
    return canonical === "" ? this.#prefix : `${this.#prefix}${canonical}/`;
  }

  async #isDirectory(path: string): Promise<boolean> {
    if (canonicalPath(path, this.#style) === "") return true;
    for await (const _ of this.#storage.list(this.#directoryKey(path), 1)) return true;
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

  async #list(path: string): Promise<ListedEntry[]> {
    const directory = this.#directoryKey(path);
    const entries = new Map<string, ListedEntry>();
    let any = false;
    for await (const listed of this.#storage.list(directory)) {
      any = true;
      const name = listed.key.slice(directory.length).replace(/\/$/, "");
      // "a//b", and the empty objects some consoles make for a folder, name nothing.
      if (name === "" || (listed.kind === "object" && listed.key.endsWith("/"))) continue;
      if (listed.kind === "prefix") {
        if (!entries.has(name)) entries.set(name, { name, kind: "directory" });
      } else entries.set(name, { name, kind: "file" });
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

function metadataOf(head: ObjectHead): FileMetadata {
  return {
    kind: "file",
    sizeBytes: head.sizeBytes,
    mtimeMs: head.modifiedMs,
    mode: head.mode ?? defaultMode,
    version: head.etag,
  };
}
