import path from "node:path";
import { DeviceError } from "../device/errors.ts";

/**
 * A path as a person has named it. An empty one would be the working folder, which nobody means who writes `"$FOLDER"`.
 *
 * @throws DeviceError `usage` when it is empty
 */
export function namedPath(text: string): string {
  if (text !== "") return text;
  const sentence = "A path is empty; perhaps it is of a variable that is not set. Name the file or the folder.";
  throw new DeviceError("usage", { sentence });
}

/** The absolute path of a file or folder on this machine. @throws DeviceError as {@link namedPath} */
export const pathGiven = ({ workingFolder }: { readonly workingFolder: string }, text: string): string =>
  path.resolve(workingFolder, namedPath(text));
