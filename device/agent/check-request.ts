import { personalRules } from "../config/personal-config.ts";
import { DeviceError, isDeviceError } from "../errors.ts";
import { openFolder } from "../files/place/folder-place.ts";
import type { ProjectFiles } from "../files/project-files.ts";
import { linkedAway } from "../folders/linked-away.ts";
import { notLinked } from "../folders/not-linked.ts";
import { readingRules } from "../folders/scanner/reading-rules.ts";
import { asScanError } from "../folders/scanner/scan-error.ts";
import { asWord } from "../shell-words.ts";
import { scanInterrupted } from "../store/abandoned-scans.ts";
import type { Project } from "../store/folder-schema.ts";
import type { DeviceStore } from "../store/open.ts";
import type { AgentRequest } from "./run-agent.ts";

/**
 * Whether there is anything an agent could answer from. Asked before the model is: it would spend thousands of tokens to
 * say that the files say nothing.
 *
 * @throws DeviceError `project_unknown`, `folder_not_linked`, `folder_not_found`, `folder_unreadable`, `scan_running` (the
 * first scan has not found anything yet), `folder_empty`, `nothing_to_ask`
 */
export async function checkRequest({ agent, projectId, attachments }: AgentRequest, store: DeviceStore): Promise<void> {
  if (projectId !== undefined) return checkProject(store.projects.get(projectId), store, attachments !== undefined);
  if (attachments !== undefined) return;
  if (store.projects.linked().length > 0) return;
  if (agent === "brief" || !hasWork(store)) throw new DeviceError("nothing_to_ask");
}

/** Whether scouts have proposed anything, or the person keeps anything. */
function hasWork({ proposals, work: { task, event, note } }: DeviceStore): boolean {
  return proposals.count({}) > 0 || [task, event, note].some((rows) => rows.list().length > 0);
}

/** @param isEnough something else is there to answer from, should the folder be empty */
async function checkProject(
  { id, name, folderPath, folderLastScanStatus, folderErrorCode }: Project,
  store: DeviceStore,
  isEnough: boolean,
): Promise<void> {
  if (folderPath === null) throw notLinked(name);
  const files = await openedFolder(folderPath).catch((thrown) => {
    const error = asScanError(thrown, folderPath);
    // Of a bucket it says itself what to do.
    if (!isDeviceError(error, "folder_unreadable")) throw linkedAway(error, { name, folderPath });
    const { code, message } = error;
    const command = `scouts project link ${asWord(name)} <folder>`;
    const sentence = `${message}. Mend that, or link the project to where it is now: ${command}`;
    throw new DeviceError(code, { sentence, cause: thrown });
  });
  // Rules that cannot be understood close the folder; what was attached is answered from without it.
  if (isEnough) return;
  await readingRules(files, personalRules(store.dataFolder, files.displayRoot), store.dataFolder).catch((thrown) => {
    throw asScanError(thrown, folderPath);
  });
  if (store.folderFiles.total(id) > 0) return;
  if (folderLastScanStatus === "scanning") {
    const sentence = `The folder of ${name} is being scanned for the first time; ask when that is done.`;
    throw new DeviceError("scan_running", { sentence });
  }
  const rescan = `scouts project rescan ${asWord(name)}`;
  const sentence =
    folderErrorCode === scanInterrupted
      ? `Nothing is known yet of the folder of ${name}: its scan was interrupted. Go on with it: ${rescan}`
      : `Nothing is known of the folder of ${name}: it holds no file that is read, or was never scanned; see: ${rescan}`;
  throw new DeviceError("folder_empty", { sentence });
}

/** The files of a folder that is there. @throws what its place says when it is not */
async function openedFolder(folderPath: string): Promise<ProjectFiles> {
  const files = openFolder(folderPath);
  await files.metadata("");
  return files;
}
