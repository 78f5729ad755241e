import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { ProjectId } from "../../../events/ids.ts";
import { personalRules } from "../../access/personal-rules.ts";
import type { Clock } from "../../connection/clock.ts";
import { DeviceError } from "../../errors.ts";
import { FsProjectFiles } from "../../files/backends/fs/fs-project-files.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { Project } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { storeCall } from "../../store/sqlite/sqlite-errors.ts";
import { ShownPaths } from "../search/shown-paths.ts";
import { indexPath, openIndexToRead } from "./index-file.ts";
import { IndexThread } from "./index-thread.ts";
import { purgedQuery } from "./index-writer.ts";
import { directoriesOf, rulesDigest } from "./rules-digest.ts";

/** What is withheld is to be gone within a minute, merging included. */
const lookEveryMs = 20_000;

export interface KeeperOptions {
  readonly store: DeviceStore;
  readonly clock: Clock;
  /** Something could not be looked at or taken out; the next look tries again. */
  readonly onProblem: (error: Error) => void;
}

/** Takes out of the indexes what rules withhold by now, without waiting for a scan. */
export interface WithheldKeeper {
  /** Looks now, and again and again. */
  start(): void;
  /** Resolves when nothing is being looked at. */
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

export function keepWithheldOut({ store, clock, onProblem }: KeeperOptions): WithheldKeeper {
  const seen = new Map<ProjectId, Seen>();
  /** What the rules of a project were when all it holds was last found to be showable. */
  const settled = new Map<ProjectId, string>();
  let cancel = () => {};
  let running: Promise<void> | undefined;
  let isClosed = false;

  const lookAt = async (project: Project, root: string) => {
    const path = indexPath(store.dataFolder, project.id);
    const now = seenNow(path, seen.get(project.id));
    if (now === undefined) return;
    seen.set(project.id, now);
    const digest = await rulesDigest(root, store.dataFolder, now.directories, now.version);
    if (now.isPurged && settled.get(project.id) === digest) return;
    await removeWithheld(store, project.id, new FsProjectFiles(root), now.isPurged);
    settled.set(project.id, digest);
  };
  const look = async () => {
    for (const project of store.projects.list()) {
      if (isClosed || project.folderPath === null) continue;
      try {
        await lookAt(project, project.folderPath);
      } catch (error) {
        // A drive that is away just now: nothing of it is shown meanwhile.
        if (isProjectFilesError(error)) continue;
        onProblem(error instanceof Error ? error : new DeviceError("internal", { cause: error }));
      }
    }
    running = undefined;
  };
  const start = () => {
    cancel = clock.after(lookEveryMs, start);
    running ??= look();
  };
  const whenIdle = async () => void (await running);
  return {
    start,
    whenIdle,
    async close() {
      isClosed = true;
      cancel();
      await whenIdle();
    },
  };
}

/** What an index holds, as far as a look needs it. */
interface Seen {
  /** Of the index's files: nothing is read again that has not changed. */
  readonly version: string;
  readonly directories: readonly string[];
  readonly isPurged: boolean;
}

/** Undefined when there is nothing in it. */
function seenNow(path: string, before: Seen | undefined): Seen | undefined {
  const version = versionOf(path);
  if (before?.version === version) return before;
  return fromIndex(path, (connection) => ({
    version,
    directories: directoriesOf(pathsIn(connection)),
    isPurged: connection.prepare(purgedQuery).get()?.["value"] !== "0",
  }));
}

const versionOf = (path: string) =>
  [path, `${path}-wal`]
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((found) => (found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeMs}`))
    .join(" ");

/** Undefined when there is no index. @throws DeviceError `store_unreadable` */
function fromIndex<T>(path: string, read: (connection: DatabaseSync) => T): T | undefined {
  const connection = openIndexToRead(path);
  try {
    return connection && storeCall(() => read(connection));
  } finally {
    connection?.close();
  }
}

function pathsIn(connection: DatabaseSync): string[] {
  const rows = connection.prepare("SELECT path FROM documents").all();
  return rows.map(({ path }) => String(path));
}

async function removeWithheld(
  store: DeviceStore,
  id: ProjectId,
  files: ProjectFiles,
  isPurged: boolean,
): Promise<void> {
  const path = indexPath(store.dataFolder, id);
  const withheld = await withheldIn(path, files, store.dataFolder);
  if (withheld.length === 0 && isPurged) return;
  const thread = new IndexThread(path);
  try {
    if (withheld.length > 0) {
      await thread.ask({ do: "remove", paths: withheld });
      // Should they be shown again before a scan has looked, that scan reads them again.
      await thread.ask({ do: "finish", isComplete: false });
    }
    // Where a reader holds the log, the index says so, and the next look does it.
    await thread.ask({ do: "purge" });
    await thread.close();
  } finally {
    await thread.end();
  }
}

async function withheldIn(path: string, files: ProjectFiles, dataFolder: string): Promise<string[]> {
  const shown = await ShownPaths.of(files, personalRules(dataFolder));
  // Rules that cannot be understood may be a slip of the pen: nothing is found meanwhile, and nothing thrown away.
  if (shown === undefined) return [];
  const withheld: string[] = [];
  for (const each of fromIndex(path, pathsIn) ?? []) if (!(await shown.shows(each))) withheld.push(each);
  return withheld;
}
