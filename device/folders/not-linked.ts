import { DeviceError } from "../errors.ts";
import { asWord } from "../shell-words.ts";

/** `folder_not_linked` of a project, by its name, with the command that links a folder. */
export function notLinked(name: string): DeviceError {
  const command = `scouts project link ${asWord(name)} <folder>`;
  return new DeviceError("folder_not_linked", { sentence: `No folder is linked to ${name}; link one: ${command}` });
}
