import { DeviceError, isDeviceError } from "../errors.ts";
import { exactError } from "../exact-sentences.ts";
import { placeOf } from "../files/place/folder-place.ts";
import { asWord } from "../shell-words.ts";
import { noFolder } from "./no-folder.ts";

/** A project with its folder. */
interface Linked {
  readonly name: string;
  readonly folderPath: string;
}

/** What went wrong with a project's folder: that it is not there is told with what a person does about it, all else as it is. */
export function linkedAway(error: unknown, { name, folderPath }: Linked): unknown {
  // A file in its place has a sentence of its own, and a bucket says itself what to do.
  if (!isDeviceError(error, "folder_not_found") || error.exact?.about !== "at") return error;
  const values = { path: folderPath, project: asWord(name) };
  return exactError("folder_not_found", "linked", values, { cause: error });
}

/** @throws DeviceError `folder_not_found` for a folder of this machine that is not there: what its project may do about it */
export function requireThere(linked: Linked): void {
  try {
    placeOf(linked.folderPath);
  } catch (error) {
    throw linkedAway(error instanceof DeviceError ? error : noFolder(linked.folderPath, error), linked);
  }
}
