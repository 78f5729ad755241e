import { isDeviceError } from "../../errors.ts";
import { paidSummaries } from "../../folders/manifest/paid-summaries.ts";
import { projectOfFolder } from "../../knowledge/search/folder-content.ts";
import { type DeviceStore, type OpenOptions, openDeviceStore } from "../../store/open.ts";
import type { PaidSummaries } from "../summaries/summaries.ts";

/** The device's database, for a program that does without it where it cannot be opened. */
export function storeIfAny(options: OpenOptions): DeviceStore | undefined {
  try {
    return openDeviceStore({ ...options, mustExist: true });
  } catch (error) {
    if (!isDeviceError(error)) throw error;
    return undefined;
  }
}

/** What scans have said of a folder's files; undefined for one that is linked to no project. @param folder links resolved */
export function paidSummariesOf(store: DeviceStore | undefined, folder: string): PaidSummaries | undefined {
  const project = store && projectOfFolder(store, folder);
  return store && project && paidSummaries(store, project.id);
}
