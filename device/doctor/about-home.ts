import type { HomeAbout } from "../../events/health.ts";
import { readCredentials } from "../connect/credentials.ts";
import { homeFolderOf } from "../connect/devices/home-folder.ts";
import { askAboutHome } from "../connect/local-home.ts";

/**
 * What the home of a data folder says of itself; undefined when none runs there, or the folder is signed in elsewhere.
 *
 * @param isModelAskedAnew whether the language model is asked also when it answered just now
 * @throws DeviceError `credentials_unreadable`, `folder_unusable`
 */
export async function aboutHomeOf(dataFolder: string, isModelAskedAnew = false): Promise<HomeAbout | undefined> {
  return readCredentials(dataFolder) === undefined
    ? askAboutHome(homeFolderOf(dataFolder), isModelAskedAnew)
    : undefined;
}
