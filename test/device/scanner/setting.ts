import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { FsProjectFiles } from "../../../device/files/backends/fs/fs-project-files.ts";
import type { ProjectFiles } from "../../../device/files/project-files.ts";
import type { ScanResult } from "../../../device/folders/scanner/scan-project.ts";
import { type StartedScan, type StartScanOptions, startScan } from "../../../device/folders/scanner/start-scan.ts";
import type { Project } from "../../../device/store/folder-schema.ts";
import type { DeviceStore } from "../../../device/store/open.ts";
import { temporaryStore } from "../setting.ts";

export interface LinkedFolder {
  readonly store: DeviceStore;
  readonly project: Project;
  readonly root: string;
  /** Paths that were opened, in order, since the last scan began. */
  readonly opened: string[];
  write(path: string, content: string | Uint8Array): void;
  /** Scans and ends the scan. */
  scan(options?: Partial<StartScanOptions>): Promise<ScanResult>;
  start(options?: Partial<StartScanOptions>): Promise<StartedScan>;
  /** Gives every file that wants a summary one: `about {path}`. */
  summarize(result: ScanResult): void;
  /** `path kind summary`, a line for each row. */
  manifest(): string[];
}

/** A clock that runs so far ahead of the disk's that nothing on it was changed just now. */
export const settledNow = () => Date.now() + 60_000;

/** A project linked to a folder that is gone when the test is over. */
export function linkedFolder(
  tree: Record<string, string | Uint8Array> = {},
  store: DeviceStore = temporaryStore(),
  name = "garden",
): LinkedFolder {
  const root = mkdtempSync(join(tmpdir(), "scouts-folder-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const { id } = store.projects.add(name);
  const project = store.projects.link(id, root);
  const opened: string[] = [];

  const start = (options: Partial<StartScanOptions> = {}) => {
    opened.length = 0;
    const openFiles = (path: string) => watched(new FsProjectFiles(path, { ripgrep: false }), opened);
    return startScan({ store, projectId: id, now: settledNow, openFiles, ...options });
  };
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(tree)) write(path, content);

  return {
    store,
    project,
    root,
    opened,
    write,
    start,
    async scan(options) {
      const started = await start(options);
      started.finish({ status: "completed" });
      return started.result;
    },
    summarize({ toSummarize }) {
      for (const { relPath, contentHash, kind } of toSummarize) {
        const made = { kind, summary: `about ${relPath}`, tag: null, promptVersion: "test/1" };
        store.folderFiles.setSummary(id, relPath, contentHash, made);
      }
    },
    manifest: () =>
      store.folderFiles.list(id).map(({ relativePath, kind, summary }) => `${relativePath} ${kind} ${summary}`),
  };
}

/** The same files; notes what is opened. */
function watched(files: ProjectFiles, opened: string[]): ProjectFiles {
  return new Proxy(files, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      if (property !== "read" && property !== "hash") return value.bind(target);
      return (path: string, ...more: unknown[]) => {
        if (path !== ".scouts.json") opened.push(path);
        return Reflect.apply(value, target, [path, ...more]);
      };
    },
  });
}

/** Sets a file's modification time. */
export function touch(folder: LinkedFolder, path: string, atMs: number): void {
  utimesSync(join(folder.root, path), atMs / 1_000, atMs / 1_000);
}
