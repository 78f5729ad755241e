import { ProjectFilesError } from "../errors.ts";
import type { FileMetadata } from "../file-metadata.ts";
import { grepTree, readingSearcher } from "../grep/grep.ts";
import type { GrepOptions, GrepStream } from "../grep/grep-types.ts";
import { materializeFiles } from "../materialize/materialize.ts";
import type { MaterializedView, MaterializeOptions } from "../materialize/materialize-types.ts";
import { openView } from "../materialize/open-view.ts";
import { exactNames, identityOf, type NameFolding } from "../paths/containment.ts";
import { canonicalPath, nameOf, type PathStyle, parentOf, segmentsOf } from "../paths/project-path.ts";
import type { DeleteOptions, DirEntry, ProjectFiles, ReadOptions, WriteOptions } from "../project-files.ts";
import { refuseReadOnly } from "../read-only-file.ts";
import { walkTree } from "../walk/walk.ts";
import type { FileWalk, ListedEntry, WalkOptions, WalkSource } from "../walk/walk-types.ts";

export interface InMemoryProjectFilesOptions {
  style?: PathStyle;
  folding?: NameFolding;
  /** Default 512 MiB. */
  maxFileBytes?: number;
  /** Milliseconds since 1970. */
  now: () => number;
}

interface StoredFile {
  kind: "file";
  bytes: Uint8Array;
  mode: number;
  mtimeMs: number;
  revision: number;
}
interface StoredDirectory {
  kind: "directory";
  /** By identity of the name. */
  children: Map<string, { name: string; node: StoredNode }>;
  mtimeMs: number;
}
type StoredNode = StoredFile | StoredDirectory;

/** Files in memory: for tests, and the reference for every rule that is not about disks. A directory ends with its last file. */
export class InMemoryProjectFiles implements ProjectFiles {
  readonly displayRoot = "<memory>";
  readonly folding: NameFolding;
  readonly isReadOnly = false;
  readonly #style: PathStyle;
  readonly #maxFileBytes: number;
  readonly #now: () => number;
  readonly #root: StoredDirectory;
  #revision = 0;

  constructor(initial: Record<string, string | Uint8Array>, options: InMemoryProjectFilesOptions) {
    this.#style = options.style ?? "posix";
    this.folding = options.folding ?? exactNames;
    this.#maxFileBytes = options.maxFileBytes ?? 512 * 1024 * 1024;
    this.#now = options.now;
    this.#root = this.#emptyDirectory();
    for (const [path, content] of Object.entries(initial)) {
      this.#put(path, typeof content === "string" ? Buffer.from(content) : content, {});
    }
  }

  async read(path: string, options: ReadOptions = {}): Promise<Uint8Array> {
    const file = this.#file(path);
    const { startByte = 0, endByte = file.bytes.length } = options.range ?? {};
    const bytes = file.bytes.slice(startByte, Math.max(startByte, endByte));
    if (bytes.length > Math.min(options.maxBytes ?? this.#maxFileBytes, this.#maxFileBytes)) {
      throw new ProjectFilesError("TooLarge", { path, detail: `${bytes.length} bytes` });
    }
    return bytes;
  }

  async write(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<void> {
    this.#put(path, bytes, options);
  }

  async exists(path: string): Promise<boolean> {
    return this.#find(canonicalPath(path, this.#style)) !== undefined;
  }

  async metadata(path: string): Promise<FileMetadata> {
    return metadataOf(this.#node(path));
  }

  async listDir(path: string): Promise<DirEntry[]> {
    return this.#list(path).map(({ name, kind }) => ({ path: name, kind }));
  }

  walk(options: WalkOptions = {}): FileWalk {
    const source: WalkSource = {
      style: this.#style,
      foldsCase: this.folding.foldsCase,
      list: (directory) => this.#list(directory),
      read: (path) => this.#file(path).bytes,
      metadata: (path) => metadataOf(this.#node(path)),
    };
    return walkTree(() => source, options);
  }

  async delete(path: string, options: DeleteOptions = {}): Promise<void> {
    const node = this.#node(path);
    if (node.kind === "directory") throw new ProjectFilesError("NotAFile", { path });
    if (options.ifVersion !== undefined && options.ifVersion !== String(node.revision)) {
      throw new ProjectFilesError("Conflict", { path });
    }
    this.#remove(canonicalPath(path, this.#style));
  }

  async rename(from: string, to: string): Promise<void> {
    const source = canonicalPath(from, this.#style);
    const target = canonicalPath(to, this.#style);
    const node = this.#node(from);
    const [sourceKey, targetKey] = [source, target].map((path) => this.#key(path));
    const isRespelling = sourceKey === targetKey && source !== target;
    if (this.#find(target) !== undefined && !isRespelling && target !== "") {
      const isInside = `${targetKey}/`.startsWith(`${sourceKey}/`) && sourceKey !== targetKey;
      throw new ProjectFilesError(isInside ? "InvalidPath" : "Conflict", { path: to });
    }
    if (source === "" || target === "" || (!isRespelling && `${targetKey}/`.startsWith(`${sourceKey}/`))) {
      throw new ProjectFilesError("InvalidPath", { path: to });
    }
    if (isRespelling) this.#remove(source);
    const parent = this.#makeDirectories(parentOf(target), to);
    parent.children.set(this.#key(nameOf(target)), { name: nameOf(target), node });
    if (!isRespelling) this.#remove(source);
  }

  grep(pattern: string, options: GrepOptions = {}): GrepStream {
    return grepTree(this, pattern, options, (compiled) => readingSearcher(this, compiled, 1));
  }

  materialize(options: MaterializeOptions = {}): Promise<MaterializedView> {
    return materializeFiles(this, options, openView);
  }

  async canonical(path: string): Promise<string> {
    const spelled: string[] = [];
    let node: StoredNode | undefined = this.#root;
    for (const name of segmentsOf(canonicalPath(path, this.#style))) {
      const child: { name: string; node: StoredNode } | undefined =
        node?.kind === "directory" ? node.children.get(this.#key(name)) : undefined;
      spelled.push(child?.name ?? name);
      node = child?.node;
    }
    return spelled.join("/");
  }

  #key(text: string): string {
    return identityOf(text, this.folding);
  }

  #emptyDirectory(): StoredDirectory {
    return { kind: "directory", children: new Map(), mtimeMs: this.#now() };
  }

  #find(path: string): StoredNode | undefined {
    let node: StoredNode | undefined = this.#root;
    for (const name of segmentsOf(path)) {
      node = node?.kind === "directory" ? node.children.get(this.#key(name))?.node : undefined;
    }
    return node;
  }

  #node(path: string): StoredNode {
    const node = this.#find(canonicalPath(path, this.#style));
    if (node === undefined) throw new ProjectFilesError("NotFound", { path });
    return node;
  }

  #file(path: string): StoredFile {
    const node = this.#node(path);
    if (node.kind !== "file") throw new ProjectFilesError("NotAFile", { path });
    return node;
  }

  #list(path: string): ListedEntry[] {
    const node = this.#node(path);
    if (node.kind !== "directory") throw new ProjectFilesError("NotADirectory", { path });
    const entries = [...node.children.values()].map(({ name, node: child }) => ({ name, kind: child.kind }));
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #put(path: string, bytes: Uint8Array, options: WriteOptions): void {
    const target = canonicalPath(path, this.#style);
    const before = this.#find(target);
    if (before?.kind === "directory") throw new ProjectFilesError("NotAFile", { path });
    const version = before === undefined ? null : String(before.revision);
    if (options.ifVersion !== undefined && options.ifVersion !== version) {
      throw new ProjectFilesError("Conflict", { path });
    }
    refuseReadOnly(path, before?.mode, options);
    const parent = before === undefined ? this.#makeDirectories(parentOf(target), path) : undefined;
    const file: StoredFile = before ?? { kind: "file", bytes, mode: 0o644, mtimeMs: 0, revision: 0 };
    file.bytes = bytes.slice();
    file.mode = options.mode ?? file.mode;
    file.mtimeMs = this.#now();
    file.revision = ++this.#revision;
    parent?.children.set(this.#key(nameOf(target)), { name: nameOf(target), node: file });
  }

  #makeDirectories(path: string, asked: string): StoredDirectory {
    let directory = this.#root;
    for (const name of segmentsOf(path)) {
      const child = directory.children.get(this.#key(name))?.node;
      if (child?.kind === "file") throw new ProjectFilesError("NotADirectory", { path: asked });
      const next = child ?? this.#emptyDirectory();
      if (child === undefined) directory.children.set(this.#key(name), { name, node: next });
      directory = next;
    }
    return directory;
  }

  /** Takes the entry away, and directories it leaves empty. */
  #remove(path: string): void {
    for (let at = path; at !== ""; at = parentOf(at)) {
      const parent = this.#find(parentOf(at));
      if (parent?.kind !== "directory") return;
      parent.children.delete(this.#key(nameOf(at)));
      if (parent.children.size > 0) return;
    }
  }
}

function metadataOf(node: StoredNode): FileMetadata {
  return node.kind === "file"
    ? {
        kind: "file",
        sizeBytes: node.bytes.length,
        mtimeMs: node.mtimeMs,
        mode: node.mode,
        version: String(node.revision),
      }
    : { kind: "directory", sizeBytes: 0, mtimeMs: node.mtimeMs, mode: 0o755, version: "" };
}
