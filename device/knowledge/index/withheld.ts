import type { DatabaseSync } from "node:sqlite";
import type { ProjectId } from "../../../events/ids.ts";
import { personalRules } from "../../config/personal-config.ts";
import { DeviceError, isDeviceError } from "../../errors.ts";
import { openFolder } from "../../files/place/folder-place.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { DeviceStore } from "../../store/open.ts";
import { storeCall } from "../../store/sqlite/sqlite-errors.ts";
import { ShownPaths } from "../search/shown-paths.ts";
import { purgedQuery } from "./index-facts.ts";
import { diskVersionOf, indexPath, openIndexToRead, removeIndexFile } from "./index-file.ts";
import { IndexThread } from "./index-thread.ts";
import { directoriesOf, rulesDigest } from "./rules-digest.ts";

/** Takes out of the indexes what rules withhold by now. What it has looked at it does not look at again before it changes. */
export class WithheldFiles {
  readonly #store: DeviceStore;
  readonly #seen = new Map<ProjectId, Seen>();
  /** What the rules of a project were when all it holds was last found to be showable. */
  readonly #settled = new Map<ProjectId, string>();

  constructor(store: DeviceStore) {
    this.#store = store;
  }

  /** @param root the project's folder. @throws DeviceError as {@link IndexThread.ask}; ProjectFilesError when it is away */
  async remove(id: ProjectId, root: string): Promise<void> {
    const path = indexPath(this.#store.dataFolder, id);
    try {
      await this.#remove(id, root, path);
    } catch (error) {
      if (!isDeviceError(error, "store_unreadable")) throw error;
      // Nobody can take anything out of it, so all of it goes.
      removeIndexFile(path);
      const sentence = `An index of the search was damaged and has been removed; it is made anew by the next scan of ${root}.`;
      throw new DeviceError("store_unreadable", { sentence, cause: error });
    }
  }

  async #remove(id: ProjectId, root: string, path: string): Promise<void> {
    const { dataFolder } = this.#store;
    const now = seenNow(path, this.#seen.get(id));
    if (now === undefined) return;
    this.#seen.set(id, now);
    const digest = await rulesDigest(root, dataFolder, now.directories, now.version);
    if (now.isPurged && this.#settled.get(id) === digest) return;
    const withheld = await removeWithheld(path, openFolder(root), dataFolder, now.isPurged);
    if (withheld.length > 0) this.#store.answers.forgetFiles(id, withheld);
    this.#settled.set(id, digest);
  }
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
  const version = diskVersionOf(path);
  if (before?.version === version) return before;
  return fromIndex(path, (connection) => ({
    version,
    directories: directoriesOf(pathsIn(connection)),
    isPurged: connection.prepare(purgedQuery).get()?.["value"] !== "0",
  }));
}

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

/** @returns what was withheld, and is gone from the index */
async function removeWithheld(
  path: string,
  files: ProjectFiles,
  dataFolder: string,
  isPurged: boolean,
): Promise<readonly string[]> {
  const withheld = await withheldIn(path, files, dataFolder);
  if (withheld.length === 0 && isPurged) return [];
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
    return withheld;
  } finally {
    await thread.end();
  }
}

async function withheldIn(path: string, files: ProjectFiles, dataFolder: string): Promise<string[]> {
  const shown = await ShownPaths.of(files, personalRules(dataFolder, files.displayRoot), dataFolder);
  // Rules that cannot be understood may be a slip of the pen: nothing is found meanwhile, and nothing thrown away.
  if (shown === undefined) return [];
  const withheld: string[] = [];
  for (const each of fromIndex(path, pathsIn) ?? []) if (!(await shown.shows(each))) withheld.push(each);
  return withheld;
}
