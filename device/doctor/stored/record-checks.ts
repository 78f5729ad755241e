import { existsSync } from "node:fs";
import { activityPath, openActivityStore } from "../../activity/activity-store.ts";
import { Trails } from "../../activity/trails.ts";
import { quoted } from "../../errors/quoted.ts";
import { type DeviceError, isDeviceError } from "../../errors.ts";
import type { TimeAndIds } from "../../time-and-ids.ts";
import type { Check } from "../checks.ts";
import { found } from "../findings.ts";
import { openIfSound } from "./open-if-sound.ts";

/** Whether what was done on this device can be read, of every program and folder; nothing where it can. */
export function checkRecords(dataFolder: string, timeAndIds: TimeAndIds): Check[] {
  return [...checkActivity(dataFolder, timeAndIds), ...checkTrails(dataFolder, timeAndIds)];
}

function checkActivity(dataFolder: string, timeAndIds: TimeAndIds): Check[] {
  const path = activityPath(dataFolder);
  if (!existsSync(path)) return [];
  try {
    const activity = openActivityStore(dataFolder, timeAndIds);
    activity.close();
    return [];
  } catch (error) {
    if (!isDeviceError(error)) throw error;
    return [unreadable(path, error)];
  }
}

function checkTrails(dataFolder: string, timeAndIds: TimeAndIds): Check[] {
  // Which folders there are stands in the device's database; that it cannot be opened is a check of its own.
  const store = openIfSound(dataFolder, timeAndIds);
  if (store === undefined) return [];
  const trails = new Trails(store, timeAndIds.now);
  try {
    trails.names();
    return trails.unreadable().map(({ path, error }) => unreadable(path, error));
  } finally {
    trails.close();
    store.close();
  }
}

function unreadable(path: string, error: DeviceError): Check {
  const said = isDeviceError(error, "store_unreadable")
    ? found("record_damaged", { path })
    : found("record_unusable", { path }, { why: quoted(error) });
  return { name: "database", state: "fail", ...said };
}
