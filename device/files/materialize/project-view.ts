import type { MaterializedView, SyncReport } from "./materialize-types.ts";

/** The view of files that already are a directory on this machine: the directory itself. Costs nothing. */
export class ProjectView implements MaterializedView {
  readonly root: string;
  readonly isProject = true;
  readonly leftOut: readonly string[] = [];

  constructor(root: string) {
    this.root = root;
  }

  async plan(): Promise<SyncReport> {
    return { changes: [], applied: false };
  }
  async close(): Promise<SyncReport> {
    return { changes: [], applied: true };
  }
  async keep(): Promise<undefined> {}
  async discard(): Promise<void> {}
  async [Symbol.asyncDispose](): Promise<void> {}
}
