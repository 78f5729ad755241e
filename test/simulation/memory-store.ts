import { DatabaseSync } from "node:sqlite";
import { deviceMigrations } from "../../device/store/device-migrations.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { migrate } from "../../device/store/sqlite/migrate.ts";
import { tablesOn } from "../../device/store/tables/tables.ts";
import { Vault } from "../../device/vault/vault.ts";

/** A device's store on an SQLite database in memory: the real tables without the file. */
export function memoryStore(now: () => number, newId: () => string): DeviceStore {
  const connection = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  migrate(connection, deviceMigrations);
  const vault = new Vault(":memory:");
  return {
    path: ":memory:",
    dataFolder: ":memory:",
    isMadeAnew: false,
    isDiskFull: false,
    scanLocks: { hold: () => () => {}, isHeld: () => true },
    vault,
    ...tablesOn(connection, { now, newId }, vault),
    purge: () => true,
    newId,
    foreignVersion: () => 0,
    damage: () => undefined,
    close: () => connection.close(),
  };
}
