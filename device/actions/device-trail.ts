import { type OpenTrail, openTrail } from "../access/audit/open-trail.ts";

/** Stands for the device where a trail is otherwise named by a folder; no folder has a relative path. */
export const deviceRoot = "device:actions";

/** The audit trail of what was asked of the device itself, and not of one project's files. @throws DeviceError as {@link openTrail} */
export const openDeviceTrail = (dataFolder: string, now: () => number): OpenTrail =>
  openTrail(dataFolder, deviceRoot, now);
