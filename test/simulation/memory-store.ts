import { DatabaseSync } from "node:sqlite";
import { cursorTable } from "../../device/store/cursors.ts";
import { folderFileTable } from "../../device/store/folder-files.ts";
import { folderSnapshotTable } from "../../device/store/folder-snapshots.ts";
import { identityTable } from "../../device/store/identity.ts";
import { localScoutTable } from "../../device/store/local-scouts.ts";
import { migrate } from "../../device/store/migrate.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { outboxTable } from "../../device/store/outbox.ts";
import { projectTable } from "../../device/store/projects.ts";
import { proposalTable } from "../../device/store/proposals.ts";
import { scoutRunTable } from "../../device/store/scout-runs.ts";
import { drizzleOn } from "../../device/store/sqlite.ts";
import { taskTable } from "../../device/store/tasks.ts";

/** A device's store on an SQLite database in memory: the real tables without the file. */
export function memoryStore(now: () => number): DeviceStore {
  const connection = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  migrate(connection);
  const db = drizzleOn(connection);
  const transaction = <T>(work: () => T): T =>
    connection.isTransaction ? work() : db.transaction(() => work(), { behavior: "immediate" });
  return {
    path: ":memory:",
    dataFolder: ":memory:",
    identity: identityTable(db, now),
    proposals: proposalTable(db, now),
    outbox: outboxTable(db, now),
    cursors: cursorTable(db, now),
    projects: projectTable(db, now, transaction),
    folderFiles: folderFileTable(db, now),
    folderSnapshots: folderSnapshotTable(db),
    tasks: taskTable(db, now),
    localScouts: localScoutTable(db, now),
    scoutRuns: scoutRunTable(db, now, transaction),
    transaction,
    foreignVersion: () => 0,
    damage: () => undefined,
    close: () => connection.close(),
  };
}
