import { AuditTrail } from "../access/audit/trail.ts";
import { openProjectDatabase } from "../access/open-access.ts";

/** Stands for the device where a trail is otherwise named by a folder; no folder has a relative path. */
export const deviceRoot = "device:actions";

export interface DeviceTrail {
  readonly trail: AuditTrail;
  close(): void;
}

/** The audit trail of what was asked of the device itself, and not of one project's files. @throws DeviceError as {@link openProjectDatabase} */
export function openDeviceTrail(dataFolder: string, now: () => number): DeviceTrail {
  const database = openProjectDatabase(dataFolder, deviceRoot);
  return { trail: new AuditTrail(database.store, now), close: () => database.close() };
}
