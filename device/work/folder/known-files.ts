import type { DeviceStore } from "../../store/open.ts";
import type { WorkFile } from "../../store/work-schema.ts";

/** What both sides last said of each file of a folder. Read once: nobody else writes it while a sync holds its lock. */
export class KnownFiles {
  readonly #store: DeviceStore;
  readonly #root: string;
  readonly #known: Map<string, WorkFile>;

  constructor(store: DeviceStore, root: string) {
    this.#store = store;
    this.#root = root;
    this.#known = store.workFiles.of(root);
  }

  all(): [name: string, known: WorkFile][] {
    return [...this.#known];
  }

  get(name: string): WorkFile | undefined {
    return this.#known.get(name);
  }

  has(name: string): boolean {
    return this.#known.has(name);
  }

  /** Notes what both sides say of a file now, in one transaction with what `made` changes on this device. */
  agree(name: string, made: () => WorkFile): void {
    const fresh = this.#store.transaction(() => {
      const known = made();
      this.#store.workFiles.put(this.#root, name, known);
      return known;
    });
    this.#known.set(name, fresh);
  }

  /** The same of several, in one transaction. */
  agreeOnAll(all: readonly (readonly [name: string, known: WorkFile])[]): void {
    this.#store.transaction(() => {
      for (const [name, known] of all) this.#store.workFiles.put(this.#root, name, known);
    });
    for (const [name, known] of all) this.#known.set(name, known);
  }

  /** What was known of a file is known of it under another name. */
  rename(from: string, to: string, known: WorkFile): void {
    this.agree(to, () => {
      this.#store.workFiles.remove(this.#root, from);
      return known;
    });
    this.#known.delete(from);
  }

  forget(name: string): void {
    this.#store.workFiles.remove(this.#root, name);
    this.#known.delete(name);
  }
}
