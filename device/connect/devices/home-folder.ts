import { realpathSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { DeviceError } from "../../errors.ts";
import { readPrivateFile, removePrivateFile, writePrivateFile } from "../../private-file.ts";
import { asWord, upOn } from "../../shell-words.ts";
import { readCredentials } from "../credentials.ts";

const kept = z.object({ v: z.literal(1), folder: z.string() });
const fileIn = (dataFolder: string) => path.join(dataFolder, "device", "home-folder.json");

/** @throws DeviceError `folder_unusable` where the word of it cannot be read */
function otherOf(dataFolder: string): string | undefined {
  return readPrivateFile(fileIn(dataFolder), kept, (cause) => {
    const sentence = `${fileIn(dataFolder)} cannot be read: it says whose home this data folder is a device of. Say it anew: scouts connect --data ${asWord(dataFolder)} --home <folder>`;
    throw new DeviceError("folder_unusable", { sentence, cause });
  })?.folder;
}

/**
 * The data folder whose home this one is a device of: itself, or the one `scouts connect --home` has named. One that is signed in
 * to a home elsewhere is a device of that, and nothing is asked of what was named before.
 *
 * @param dataFolder absolute
 * @throws DeviceError `folder_unusable`, `credentials_unreadable`
 */
export const homeFolderOf = (dataFolder: string): string =>
  readCredentials(dataFolder) === undefined ? (otherOf(dataFolder) ?? dataFolder) : dataFolder;

/** Keeps which home a data folder is a device of, for every command on it that has to find its home. */
export function keepHomeFolder(dataFolder: string, homeFolder: string): void {
  const folder = realpathSync(homeFolder);
  if (folder === realpathSync(dataFolder)) removePrivateFile(fileIn(dataFolder));
  else if (!isKept(dataFolder, folder)) writePrivateFile(fileIn(dataFolder), { v: 1, folder });
}

function isKept(dataFolder: string, folder: string): boolean {
  return readPrivateFile(fileIn(dataFolder), kept, () => ({ v: 1, folder: "" }))?.folder === folder;
}

/**
 * A home of its own would read its own mailbox for the same device, which has all proposals of the other one: whatever both read would
 * be there twice.
 *
 * @throws DeviceError `home_other`, `folder_unusable`
 */
export function requireOwnHome(dataFolder: string): void {
  const other = otherOf(dataFolder);
  if (other === undefined) return;
  throw new DeviceError("home_other", {
    sentence: `${dataFolder} is a device of the home on ${other}. Start that one (${upOn(other)}) and be its device (scouts connect --data ${asWord(dataFolder)}), or give a home of its own another folder: --data.`,
  });
}

/** @throws DeviceError `home_other` for a folder that has a home, when it is to be a device of another one */
export function refuseSecondHome(dataFolder: string, homeFolder: string): never {
  throw new DeviceError("home_other", {
    sentence: `${dataFolder} has a home of its own; as a device of ${homeFolder} as well it would hold what both propose, some of it twice. Give the device a folder of its own: --data.`,
  });
}
