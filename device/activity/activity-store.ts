import { chmodSync, closeSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { notWritable, orUnusable } from "../or-unusable.ts";
import { makePrivateFolder } from "../private-folder.ts";
import { fileLocks } from "../store/held-locks.ts";
import { type Migrations, migrate } from "../store/sqlite/migrate.ts";
import { namedStoreCall, storeCall } from "../store/sqlite/sqlite-errors.ts";
import type { TimeAndIds } from "../time-and-ids.ts";
import { ApprovalTable } from "./approval-table.ts";
import { RunTable } from "./run-table.ts";

export const activityMigrations: Migrations = {
  folder: new URL("./migrations/", import.meta.url),
  files: ["0001-activity.sql"],
};
const busyTimeoutMs = 5_000;

/** What waits for a person's yes, and what agents did: of all programs that work on a data folder. */
export interface ActivityStore {
  readonly approvals: ApprovalTable;
  readonly runs: RunTable;
  /** Another number after another connection has written. */
  foreignVersion(): number;
  close(): void;
}

/** Where a data folder has what was asked and done: a SQLite file beside the device's own. */
export const activityPath = (dataFolder: string): string => join(dataFolder, "device", "activity.sqlite");

/**
 * Opens, and makes if need be, what the programs of a data folder tell each other of their work. A database of its own: a
 * program that serves files to a model has no other business with the device's.
 *
 * @throws DeviceError `folder_unusable`, `store_unreadable`, `store_newer`, `store_busy`, `store_full`
 */
export function openActivityStore(dataFolder: string, { now, newId }: TimeAndIds): ActivityStore {
  const path = activityPath(dataFolder);
  const unsound = `${path} is damaged. Move it away: the list of runs and what programs ask begin anew, trails and answers are kept elsewhere.`;
  return namedStoreCall(unsound, () => {
    orUnusable(dataFolder, notWritable(path), () => {
      makePrivateFolder(dirname(path));
      closeSync(openSync(path, "a", 0o600));
      chmodSync(path, 0o600);
    });
    const connection = new DatabaseSync(path, { timeout: busyTimeoutMs });
    try {
      // What has ended leaves no bytes: what would have changed is content.
      connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
      migrate(connection, activityMigrations);
      const locks = fileLocks(join(dataFolder, "device", "asking"));
      const version = connection.prepare("PRAGMA data_version");
      return {
        approvals: new ApprovalTable(connection, { now, newId, locks }),
        runs: new RunTable(connection, now),
        foreignVersion: () => storeCall(() => Number(version.get()?.["data_version"] ?? 0)),
        close: () => connection.close(),
      };
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}
