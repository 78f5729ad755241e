import { createHash } from "node:crypto";
import type { ProjectId } from "../../../events/ids.ts";
import { personalRules } from "../../access/personal-rules.ts";
import type { Clock } from "../../connection/clock.ts";
import { DeviceError } from "../../errors.ts";
import { FsProjectFiles } from "../../files/backends/fs/fs-project-files.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import { scoutsIgnoreFile } from "../../folders/scanner/survey.ts";
import type { Project } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { ShownPaths } from "../search/shown-paths.ts";
import { indexPath, openIndexToRead } from "./index-file.ts";
import { IndexThread } from "./index-thread.ts";

/** A look is a few hundred calls of the system; what is withheld is to be gone within a minute, merging included. */
const lookEveryMs = 20_000;
const ignoreFiles = [".gitignore", scoutsIgnoreFile];

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
  /** What the rules of a project were when all it holds was last found to be showable. */
  const settled = new Map<ProjectId, string>();
  /** Taken out of the database, and not yet of its log. */
  const uncut = new Set<ProjectId>();
  let cancel = () => {};
  let running: Promise<void> | undefined;
  let isClosed = false;

  const lookAt = async (project: Project, root: string) => {
    const files = new FsProjectFiles(root);
    const paths = indexedPaths(store, project.id);
    if (paths.length === 0) return;
    const digest = await rulesDigest(files, store, paths);
    if (settled.get(project.id) === digest) return;
    if (await removeWithheld(store, project.id, files, paths, uncut.has(project.id))) {
      settled.set(project.id, digest);
      uncut.delete(project.id);
    } else uncut.add(project.id);
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

function indexedPaths(store: DeviceStore, id: ProjectId): string[] {
  const connection = openIndexToRead(indexPath(store.dataFolder, id));
  try {
    const rows = connection?.prepare("SELECT path FROM documents").all() ?? [];
    return rows.map(({ path }) => String(path));
  } finally {
    connection?.close();
  }
}

/** Changes when a rule that decides about one of these paths may have: rules, and ignore files in their directories. */
async function rulesDigest(files: ProjectFiles, store: DeviceStore, paths: readonly string[]): Promise<string> {
  const directories = new Set([""]);
  for (const path of paths) {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) directories.add(path.slice(0, at));
  }
  const facts: string[] = [
    JSON.stringify(personalRules(store.dataFolder)),
    await versionOf(files, ".scouts-access.json"),
  ];
  facts.push(await versionOf(files, ".git/info/exclude"));
  for (const directory of directories) {
    for (const name of ignoreFiles)
      facts.push(await versionOf(files, directory === "" ? name : `${directory}/${name}`));
  }
  facts.push(String(paths.length));
  return createHash("sha256").update(facts.join("\n")).digest("hex");
}

async function versionOf(files: ProjectFiles, path: string): Promise<string> {
  try {
    return `${path} ${(await files.metadata(path)).version}`;
  } catch (error) {
    if (isProjectFilesError(error)) return error.code;
    throw error;
  }
}

/** @returns false when a reader kept the log from being cut: then the next look does it again */
async function removeWithheld(
  store: DeviceStore,
  id: ProjectId,
  files: ProjectFiles,
  paths: readonly string[],
  isUncut: boolean,
): Promise<boolean> {
  const shown = await ShownPaths.of(files, personalRules(store.dataFolder));
  // Rules that cannot be understood may be a slip of the pen: nothing is found meanwhile, and nothing thrown away.
  if (shown === undefined) return true;
  const withheld: string[] = [];
  for (const path of paths) if (!(await shown.shows(path))) withheld.push(path);
  if (withheld.length === 0 && !isUncut) return true;
  const thread = new IndexThread(indexPath(store.dataFolder, id));
  try {
    await thread.ask({ do: "remove", paths: withheld });
    // Should they be shown again before a scan has looked, that scan reads them again.
    await thread.ask({ do: "finish", isComplete: false });
    const isGone = await thread.ask({ do: "purge" });
    await thread.close();
    return isGone;
  } finally {
    await thread.end();
  }
}
