import { deviceId } from "../../../events/ids.ts";
import { DeviceError } from "../../errors.ts";
import { deviceIdentity, type Identity } from "../schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** Who this device is, and how its connection fares. */
export interface IdentityTable {
  get(): Identity;
  update(change: Partial<Omit<Identity, "deviceId" | "createdAt">>): void;
}

/** The device's id is made when its database is, and stays. */
export function identityTable(db: Database, now: () => number, newId: () => string): IdentityTable {
  const read = () => db.select().from(deviceIdentity).get();
  if (read() === undefined) {
    const fresh = { onlyRow: 1, deviceId: deviceId.parse(`dev_${newId()}`), createdAt: now() };
    db.insert(deviceIdentity).values(fresh).onConflictDoNothing().run();
  }
  return {
    get() {
      const row = read();
      if (row === undefined) throw new DeviceError("store_unreadable", { data: { table: "device_identity" } });
      const { onlyRow: _, ...identity } = row;
      return identity;
    },
    update(change) {
      db.update(deviceIdentity).set(change).run();
    },
  };
}
