import { type Quoted, quoted } from "../../errors/quoted.ts";
import { type DeviceError, isDeviceError } from "../../errors.ts";
import { requireFolder } from "../../folders/indexer/require-folder.ts";
import type { TimeAndIds } from "../../time-and-ids.ts";
import type { Check } from "../checks.ts";
import { type FindingCode, found } from "../findings.ts";
import { type LinkedProject, linkedProjects } from "./linked-projects.ts";

/**
 * Whether every linked folder is where it was, here or in a bucket, and could be read the last time; nothing where no folder is
 * linked. A bucket is asked once for each.
 */
export async function checkFolders(dataFolder: string, timeAndIds: TimeAndIds): Promise<Check[]> {
  const linked = linkedProjects(dataFolder, timeAndIds);
  if (linked.length === 0) return [];
  const troubles = (await Promise.all(linked.map(troubleOf))).filter((trouble) => trouble !== undefined);
  if (troubles.length > 0) return troubles;
  return [{ name: "folders", state: "ok", ...found("linked_ok", { total: linked.length }) }];
}

/** What keeps a folder from being read now, else what kept it the last time. */
async function troubleOf({
  name,
  folderPath,
  folderErrorCode,
  folderErrorSentence,
}: LinkedProject): Promise<Check | undefined> {
  const now = await unreadable(folderPath);
  if (now !== undefined) {
    return failed(isDeviceError(now, "folder_not_found") ? "linked_gone" : "linked_unreadable", name, quoted(now));
  }
  // Who ended a scan knows of it.
  if (folderErrorCode === null || folderErrorCode === "scan_interrupted") return undefined;
  return failed("linked_failed", name, { code: folderErrorCode, message: folderErrorSentence ?? "" });
}

const failed = (code: FindingCode, name: string, why: Quoted): Check => ({
  name: "folder",
  state: "fail",
  ...found(code, { name, reason: why.code }, { why }),
});

async function unreadable(folderPath: string): Promise<DeviceError | undefined> {
  try {
    await requireFolder(folderPath);
    return undefined;
  } catch (error) {
    if (isDeviceError(error)) return error;
    throw error;
  }
}
