import { DatabaseSync } from "node:sqlite";
import { cursorTable } from "../../device/store/cursors.ts";
import { identityTable } from "../../device/store/identity.ts";
import { migrate } from "../../device/store/migrate.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { outboxTable } from "../../device/store/outbox.ts";
import { proposalTable } from "../../device/store/proposals.ts";
import { drizzleOn } from "../../device/store/sqlite.ts";

/** A device's store on an SQLite database in memory: the real tables without the file. */
export function memoryStore(now: () => number): DeviceStore {
  const connection = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  migrate(connection);
  const db = drizzleOn(connection);
  return {
    path: ":memory:",
    identity: identityTable(db, now),
    proposals: proposalTable(db, now),
    outbox: outboxTable(db, now),
    cursors: cursorTable(db, now),
    transaction: (work) =>
      connection.isTransaction ? work() : db.transaction(() => work(), { behavior: "immediate" }),
    foreignVersion: () => 0,
    damage: () => undefined,
    close: () => connection.close(),
  };
}
