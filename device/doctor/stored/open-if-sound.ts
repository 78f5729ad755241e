import { existsSync } from "node:fs";
import { isDeviceError } from "../../errors.ts";
import { type DeviceStore, openDeviceStore, storePath } from "../../store/open.ts";
import type { TimeAndIds } from "../../time-and-ids.ts";

/**
 * A data folder's database for a check that needs it, which is the caller's to close; undefined where there is none yet, or it
 * cannot be opened: that is a check of its own.
 */
export function openIfSound(dataFolder: string, { now, newId }: TimeAndIds): DeviceStore | undefined {
  if (!existsSync(storePath(dataFolder))) return undefined;
  try {
    return openDeviceStore({ dataFolder, mustExist: true, now, newId });
  } catch (error) {
    if (isDeviceError(error)) return undefined;
    throw error;
  }
}
