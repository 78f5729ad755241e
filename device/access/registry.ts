import { isDiskFull } from "../errors/disk-full.ts";
import { isProjectFilesError } from "../files/errors.ts";
import type { FileMetadata } from "../files/file-metadata.ts";
import type { ProjectFiles } from "../files/project-files.ts";
import { findFile } from "./changes/file-on-disk.ts";
import { isOwnData } from "./policy/decide.ts";
import { sensitivityOf, tagsOf } from "./policy/sensitivity.ts";
import type { AccessStore, RegistryEntry } from "./store/access-store.ts";

/** Larger files are known by size and time only; their `hash` is "". */
const maxHashedBytes = 32 * 1024 * 1024;
const keptVersionIds = 20;
const batchSize = 500;

/** What a newcomer reads first, in that order. */
export const entryDocuments = [
  /^readme(?:\.\w+)?$/i,
  /^agents\.md$/i,
  /^(?:claude|gemini)\.md$/i,
  /^contributing\.md$/i,
  /^(?:package\.json|pyproject\.toml|cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|gemfile|composer\.json|mix\.exs|deno\.json|pubspec\.yaml|cmakelists\.txt|makefile)$/i,
];

/** What is known of every file of the project: refreshed at start-up and after every write. */
export class Registry {
  readonly #files: ProjectFiles;
  readonly #store: AccessStore;
  readonly #ownData: () => string | undefined;

  /** @param ownData where in the project the device's data folder lies (`dataFolderIn`) */
  constructor(files: ProjectFiles, store: AccessStore, ownData: () => string | undefined) {
    this.#files = files;
    this.#ownData = ownData;
    this.#store = store;
  }

  /**
   * Brings the registry up to date; files whose stored version has not changed are not opened. What it has found before it is
   * given up is kept.
   *
   * @param onFile is told how many files were looked at, after each
   * @throws ProjectFilesError `Cancelled`
   */
  async refresh(signal?: AbortSignal, onFile?: (files: number) => void): Promise<{ files: number; changed: number }> {
    const present = new Set<string>();
    const known = new Map(this.#store.registry.list().map((entry) => [entry.path, entry.fsVersion]));
    let changed = 0;
    // Each transaction is flushed to the disk: one for every file would take minutes.
    let batch: RegistryEntry[] = [];
    const store = () => {
      this.#store.transaction(() => {
        for (const entry of batch) this.#store.registry.put(entry);
      });
      changed += batch.length;
      batch = [];
    };
    const ownData = this.#ownData();
    const context = { rules: { ownData }, foldsCase: this.#files.folding.foldsCase };
    const enters = (directory: string) => !isOwnData(directory, context);
    try {
      for await (const { path, metadata } of this.#files.walk({
        withMetadata: true,
        enters,
        ...(signal && { signal }),
      })) {
        if (isOwnData(path, context)) continue;
        present.add(path);
        onFile?.(present.size);
        if (metadata === undefined || known.get(path) === metadata.version) continue;
        const entry = await this.#entryOf(path, metadata);
        if (entry !== undefined) batch.push(entry);
        if (batch.length >= batchSize) store();
      }
    } finally {
      store();
    }
    this.#store.transaction(() => {
      for (const path of known.keys()) {
        if (present.has(path)) continue;
        this.#store.registry.remove(path);
        changed++;
      }
    });
    return { files: present.size, changed };
  }

  /** Looks at one file again. Where that cannot be, the next look finds it: the change that it follows is made all the same. */
  async update(path: string): Promise<void> {
    try {
      await this.#update(path);
    } catch (error) {
      if (!isDiskFull(error) && !isProjectFilesError(error)) throw error;
    }
  }

  async #update(path: string): Promise<void> {
    try {
      const entry = await this.#entryOf(path, await this.#files.metadata(path));
      if (entry !== undefined) this.#store.registry.put(entry);
    } catch (error) {
      if (!isProjectFilesError(error, "NotFound", "NotADirectory")) throw error;
      this.#store.registry.remove(path);
    }
  }

  get(path: string): RegistryEntry | undefined {
    return this.#store.registry.get(path);
  }

  list(): RegistryEntry[] {
    return this.#store.registry.list();
  }

  /** Paths of the documents that say what the project is, the most telling first. */
  entryDocuments(): string[] {
    const roots = this.list().filter(({ path }) => !path.includes("/"));
    return entryDocuments.flatMap((pattern) => roots.filter(({ path }) => pattern.test(path)).map(({ path }) => path));
  }

  async #entryOf(path: string, metadata: FileMetadata): Promise<RegistryEntry | undefined> {
    if (metadata.kind !== "file") return undefined;
    let hash = "";
    try {
      if (metadata.sizeBytes <= maxHashedBytes) hash = (await findFile(this.#files, path))?.hash ?? "";
    } catch (error) {
      if (!isProjectFilesError(error, "AccessDenied", "TooLarge", "NotFound", "NotAFile", "OutsideRoot")) throw error;
    }
    return {
      path,
      sizeBytes: metadata.sizeBytes,
      hash,
      mtimeMs: metadata.mtimeMs,
      fsVersion: metadata.version,
      tags: tagsOf(path),
      sensitivity: sensitivityOf(path),
      versionIds: this.#store.versions.list(path, keptVersionIds).map(({ id }) => id),
    };
  }
}
