import { InMemoryProjectFiles } from "../../files/backends/in-memory-project-files.ts";
import type { FileMetadata } from "../metadata.ts";
import { ArtifactStore, type ArtifactStoreOptions } from "./artifact-store.ts";

/** Artifacts in memory, up to so many bytes: where results go while the store is not there. They end with their thread. */
export class MemoryCache {
  readonly store: ArtifactStore;
  readonly #maxBytes: number;
  readonly #held = new Map<string, FileMetadata>();
  #usedBytes = 0;

  constructor(maxBytes: number, naming: Omit<ArtifactStoreOptions, "files">) {
    this.#maxBytes = maxBytes;
    this.store = new ArtifactStore({
      ...naming,
      files: new InMemoryProjectFiles({}, { now: naming.now }),
    });
  }

  get freeBytes(): number {
    return this.#maxBytes - this.#usedBytes;
  }

  has(id: string): boolean {
    return this.#held.has(id);
  }

  note(metadata: FileMetadata): void {
    if (this.#held.has(metadata.id)) return;
    this.#held.set(metadata.id, metadata);
    this.#usedBytes += metadata.sizeBytes;
  }

  async forget(threadId: string): Promise<void> {
    for (const [id, metadata] of this.#held) {
      if (metadata.origin.threadId !== threadId) continue;
      await this.store.remove(metadata);
      this.#held.delete(id);
      this.#usedBytes -= metadata.sizeBytes;
    }
  }
}
